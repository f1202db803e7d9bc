// RUN: tcgen05-opt %s -p tcgen05-to-nvvm --print-op-generic | filecheck %s
// RUN: tcgen05 compile %s --verify=off --emit nvvm | filecheck %s
// RUN: tcgen05 compile %s --verify=off --emit gpu-binary | filecheck %s --check-prefix BINARY

// CHECK: "llvm.mlir.global"() <{sym_name = "slot", global_type = !llvm.array<4 x i8>, linkage = #llvm<linkage<internal>>, addr_space = 3 : i32, alignment = 4 : i64}> ({
ptx.shared_memory @slot size 4 alignment 4

// BINARY: module attributes {gpu.container_module} {
// BINARY-NEXT: gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.6\0A.target sm_100a\0A
// CHECK: "llvm.func"() <{sym_name = "k", function_type = !llvm.func<void (!llvm.ptr, i64, i32)>, linkage = #llvm<linkage<external>>, arg_attrs = [{llvm.byval = !llvm.array<16 x i64>, llvm.align = 64 : i64, nvvm.grid_constant}, {}, {}], target_cpu = "sm_100a"}> ({
// CHECK-NEXT: ^bb0(%map: !llvm.ptr, %out: i64, %n: i32):
ptx.kernel @k(%map: !ptx.tensor_map, %out: i64, %n: i32) attributes {reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  // CHECK: [[variable:%.*]] = "llvm.mlir.addressof"() <{global_name = @slot}> : () -> !llvm.ptr<3>
  %slot = ptx.address_of @slot
  // CHECK: %thread = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
  %thread = ptx.special_register tid.x
  // CHECK: "nvvm.tcgen05.alloc"([[variable]], %{{.*}}) <{group = #nvvm<cta_group<cta_1>>}> : (!llvm.ptr<3>, i32) -> ()
  %c32 = arith.constant 32 : i32
  tcgen05.alloc %slot, %c32
  // CHECK: "nvvm.barrier"(%c0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ptx.bar.sync %c0
  // CHECK: "nvvm.prefetch"(%map) <{tensormap}> : (!llvm.ptr) -> ()
  ptx.prefetch.tensormap [%map]
  // The offset is part of the text, and the constant, too.
  // CHECK: "llvm.inline_asm"(%out) <{asm_dialect = 0 : i64, has_side_effects, asm_string = "st.global.b32 [$0+16], 0;", constraints = "l,~{memory}"}> : (i64) -> ()
  ptx.st global b32 [%out + 16], {%c0}
  // What only computes has no side effects.
  // CHECK: %bits = "llvm.inline_asm"(%n) <{asm_dialect = 0 : i64, asm_string = "popc.b32 $0, $1;", constraints = "=r,r"}> : (i32) -> i32
  %bits = ptx.popc b32 %n
  // CHECK: %holds = "arith.cmpi"
  %holds = arith.cmpi eq, %bits, %c0 : i32
  // CHECK: "llvm.inline_asm"(%holds, %out, %n) <{asm_dialect = 0 : i64, has_side_effects, asm_string = "@!$0 st.global.b32 [$1], $2;", constraints = "b,l,r,~{memory}"}>
  ptx.guard not %holds {
    ptx.st global b32 [%out], {%n}
  }
  // The result is the old value where the instruction is not executed.
  // CHECK: %kept = "llvm.inline_asm"(%holds, %out, %n) <{asm_dialect = 0 : i64, has_side_effects, asm_string = "@$1 ld.global.b32 $0, [$2];", constraints = "=r,b,l,0,~{memory}"}>
  %kept = ptx.guard %holds else (%n : i32) {
    %loaded = ptx.ld global b32 [%out] -> i32
    ptx.yield %loaded : i32
  }
  // Several stores are in a branch.
  // CHECK: "scf.if"(%holds) ({
  // CHECK-NEXT: "llvm.inline_asm"
  // CHECK-NEXT: "llvm.inline_asm"
  // CHECK-NEXT: "scf.yield"() : () -> ()
  ptx.guard %holds {
    ptx.st global b32 [%out], {%kept}
    ptx.st global b32 [%out + 4], {%kept}
  }
  // CHECK: "llvm.return"() : () -> ()
  ptx.ret
// CHECK-NEXT: }) {nvvm.kernel, nvvm.reqntid = array<i32: 128>} : () -> ()
}
