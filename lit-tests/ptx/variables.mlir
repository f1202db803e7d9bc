// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// CHECK: ptx.variable "const" @table size 16 alignment 4 {bytes = array<i8: 1, -1, 3>}
// PTX: .const .align 4 .b8 table[16] = {1, 255, 3};
ptx.variable "const" @table size 16 alignment 4 {bytes = array<i8: 1, -1, 3>}
// CHECK-NEXT: ptx.variable "global" @counter size 4 alignment 4 {linking = ".visible"}
// PTX-NEXT: .visible .global .align 4 .b8 counter[4];
ptx.variable "global" @counter size 4 alignment 4 {linking = ".visible"}
// CHECK-NEXT: ptx.variable "global" @pointers size 16 alignment 8 {bytes = array<i8: 0, 0, 0, 0, 0, 0, 0, 0, 7>, addresses = [#ptx.symbol_address<0, @counter, 0, generic>]}
// PTX-NEXT: .global .align 8 .u64 pointers[2] = {generic(counter), 7};
ptx.variable "global" @pointers size 16 alignment 8 {bytes = array<i8: 0, 0, 0, 0, 0, 0, 0, 0, 7>, addresses = [#ptx.symbol_address<0, @counter, 0, generic>]}
// CHECK-NEXT: ptx.shared_memory @tile size 64 alignment 16
ptx.shared_memory @tile size 64 alignment 16

ptx.kernel @variables(%x : i32) {
  // CHECK: ptx.variable "local" @depot size 32 alignment 8
  // PTX: .local .align 8 .b8 depot[32];
  ptx.variable "local" @depot size 32 alignment 8
  // CHECK-NEXT: %a = ptx.variable_address @table + 4 : i64
  %a = ptx.variable_address @table + 4 : i64
  // CHECK-NEXT: %b = ptx.variable_address @depot : i64
  %b = ptx.variable_address @depot : i64
  // CHECK-NEXT: %c = ptx.variable_address @counter : i64 {in_register}
  // PTX-NEXT: mov.b64 %rd1, depot;
  // PTX-NEXT: mov.b64 %rd2, counter;
  %c = ptx.variable_address @counter : i64 {in_register}
  // CHECK-NEXT: %d = ptx.variable_address @tile + 8 : i64 {in_register}
  // PTX-NEXT: mov.b64 %rd3, tile+8;
  %d = ptx.variable_address @tile + 8 : i64 {in_register}
  // CHECK-NEXT: %e = ptx.ld const b32 [%a + 4] -> i32
  // PTX-NEXT: ld.const.b32 %r2, [table+8];
  %e = ptx.ld const b32 [%a + 4] -> i32
  // CHECK-NEXT: ptx.st local b32 [%b], {%e}
  // PTX-NEXT: st.local.b32 [depot], %r2;
  ptx.st local b32 [%b], {%e}
  // CHECK-NEXT: ptx.st global b32 [%c], {%x}
  // PTX-NEXT: st.global.b32 [%rd2], %r1;
  ptx.st global b32 [%c], {%x}
  // CHECK-NEXT: %f = ptx.cvta local %b
  // PTX-NEXT: cvta.local.u64 %rd4, %rd1;
  %f = ptx.cvta local %b
  // CHECK-NEXT: %g = ptx.cvta shared %d
  // PTX-NEXT: cvta.shared.u64 %rd5, %rd3;
  %g = ptx.cvta shared %d
  ptx.ret
}
