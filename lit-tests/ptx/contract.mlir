// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx | filecheck %s --check-prefix LOWERED
// RUN: tcgen05 compile %s -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// CHECK: ptx.kernel @contracts(%a_map: !ptx.tensor_map {ptx.same_array = "a"}, %a: i64 {ptx.same_array = "a", ptx.multiple_of = 16 : i64}, %n: i32 {ptx.at_most = 9 : i64}, %k: i32 {ptx.at_least = 1 : i64, ptx.multiple_of = 8 : i32, user.note}, %x: f32) attributes {reqntid = array<i32: 32>} {
// GENERIC: "ptx.kernel"() <{sym_name = "contracts", arg_attrs = [{ptx.same_array = "a"}, {ptx.same_array = "a", ptx.multiple_of = 16 : i64}, {ptx.at_most = 9 : i64}, {ptx.at_least = 1 : i64, ptx.multiple_of = 8 : i32, user.note}, {}], reqntid = array<i32: 32>}> ({
// Contracts and assumptions survive the lowering.
// LOWERED: ptx.kernel @contracts(%a_map: !ptx.tensor_map {ptx.same_array = "a"}, %a: i64 {ptx.same_array = "a", ptx.multiple_of = 16 : i64}
ptx.kernel @contracts(
    %a_map : !ptx.tensor_map {ptx.same_array = "a"},
    %a : i64 {ptx.same_array = "a", ptx.multiple_of = 16},
    %n : i32 {ptx.at_most = 9},
    %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8 : i32, user.note},
    %x : f32
) attributes {reqntid = array<i32: 32>} {
  %c64 = arith.constant 64 : i32
  %c4 = arith.constant 4 : i32
  %c0 = arith.constant 0 : i32
  %blocks = arith.divui %k, %c64 : i32
  %rest = arith.remui %blocks, %c4 : i32
  %whole = arith.cmpi eq, %rest, %c0 : i32
  // CHECK: ptx.assume %whole
  // GENERIC: "ptx.assume"(%whole) : (i1) -> ()
  // LOWERED: %whole = ptx.setp eq b32 %rest, %c0
  // LOWERED: ptx.assume %whole
  ptx.assume %whole
  // Neither the assumption nor the remainder, which only it uses, is in PTX; the quotient is.
  // PTX: ld.param.b32 %r3, [contracts_param_4];
  // PTX-NEXT: shr.u32 %r4, %r2, 6;
  // PTX-NEXT: st.global.b32 [%rd2], %r4;
  // PTX-NEXT: ret;
  ptx.st global b32 [%a], {%blocks}
  ptx.ret
}
