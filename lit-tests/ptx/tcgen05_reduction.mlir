// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t 'ptx{target="sm_103a" version="8.8"}' -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_103a -o %t.cubin %t.ptx

ptx.kernel @reductions(%a : i32) {
  // CHECK: %v, %v_1, %v_2 = ptx.tcgen05.ld.red shape_32x32b x2 min abs nan f32 [%a] -> 3 x f32
  // GENERIC: %v, %v_1, %v_2 = "ptx.tcgen05.ld.red"(%a) <{shape = "shape_32x32b", num = "x2", op = "min", abs = "abs", nan = "nan", type = "f32"}> : (i32) -> (f32, f32, f32)
  // PTX: tcgen05.ld.red.sync.aligned.32x32b.x2.min.abs.NaN.f32 {%r2, %r3}, %r4, [%r1];
  %v:3 = ptx.tcgen05.ld.red shape_32x32b x2 min abs nan f32 [%a] -> 3 x f32
  // CHECK-NEXT: %w, %w_1, %w_2 = ptx.tcgen05.ld.red shape_16x32bx2 x2 max u32 [%a + 8] split_offset(16) -> 3 x i32
  // PTX-NEXT: tcgen05.ld.red.sync.aligned.16x32bx2.x2.max.u32 {%r5, %r6}, %r7, [%r1+8], 16;
  %w:3 = ptx.tcgen05.ld.red shape_16x32bx2 x2 max u32 [%a + 8] split_offset(16) -> 3 x i32
  ptx.ret
}
