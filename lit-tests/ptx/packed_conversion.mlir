// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
ptx.kernel @packed_conversion(%f : f32, %g : f32, %h : i32, %n : i16, %r : i32) {
  // CHECK: %e4m3 = ptx.cvt.pack_narrow rn satfinite e4m3x2 f32 %f, %g
  // PTX: cvt.rn.satfinite.e4m3x2.f32 %rs2, %r1, %r2;
  %e4m3 = ptx.cvt.pack_narrow rn satfinite e4m3x2 f32 %f, %g
  // CHECK-NEXT: %e2m1 = ptx.cvt.pack_narrow rn satfinite relu e2m1x2 f32 %f, %g
  // PTX-NEXT: cvt.rn.satfinite.relu.e2m1x2.f32 %rc1, %r1, %r2;
  %e2m1 = ptx.cvt.pack_narrow rn satfinite relu e2m1x2 f32 %f, %g
  // CHECK-NEXT: %scale = ptx.cvt.pack_narrow rp ue8m0x2 f32 %f, %g
  // PTX-NEXT: cvt.rp.ue8m0x2.f32 %rs3, %r1, %r2;
  %scale = ptx.cvt.pack_narrow rp ue8m0x2 f32 %f, %g
  // CHECK-NEXT: %e5m2 = ptx.cvt.packed rn satfinite e5m2x2 f16x2 %h
  // PTX-NEXT: cvt.rn.satfinite.e5m2x2.f16x2 %rs4, %r3;
  %e5m2 = ptx.cvt.packed rn satfinite e5m2x2 f16x2 %h
  // CHECK-NEXT: %from_bf16 = ptx.cvt.packed rn satfinite e3m2x2 bf16x2 %h
  // PTX-NEXT: cvt.rn.satfinite.e3m2x2.bf16x2 %rs5, %r3;
  %from_bf16 = ptx.cvt.packed rn satfinite e3m2x2 bf16x2 %h
  // CHECK-NEXT: %halves = ptx.cvt.packed rn relu f16x2 e2m1x2 %e2m1
  // PTX-NEXT: cvt.rn.relu.f16x2.e2m1x2 %r5, %rc1;
  %halves = ptx.cvt.packed rn relu f16x2 e2m1x2 %e2m1
  // CHECK-NEXT: %scaled = ptx.cvt.packed rn satfinite bf16x2 e4m3x2 scale(%scale) %e4m3
  // PTX-NEXT: cvt.rn.scaled::n2::ue8m0.satfinite.bf16x2.e4m3x2 %r6, %rs2, %rs3;
  %scaled = ptx.cvt.packed rn satfinite bf16x2 e4m3x2 scale(%scale) %e4m3
  // CHECK-NEXT: %wide = ptx.cvt.packed rn bf16x2 ue8m0x2 %n
  // PTX-NEXT: cvt.rn.bf16x2.ue8m0x2 %r7, %rs1;
  %wide = ptx.cvt.packed rn bf16x2 ue8m0x2 %n
  // CHECK-NEXT: %four = ptx.cvt.stochastic satfinite e2m1x4 f32 {%f, %g, %f, %g}, %r
  // PTX-NEXT: cvt.rs.satfinite.e2m1x4.f32 %rs6, {%r1, %r2, %r1, %r2}, %r4;
  %four = ptx.cvt.stochastic satfinite e2m1x4 f32 {%f, %g, %f, %g}, %r
  // CHECK-NEXT: %two = ptx.cvt.stochastic_pair relu bf16x2 f32 %f, %g, %r
  // PTX-NEXT: cvt.rs.relu.bf16x2.f32 %r8, %r1, %r2, %r4;
  %two = ptx.cvt.stochastic_pair relu bf16x2 f32 %f, %g, %r
  // CHECK-NEXT: %finite = ptx.cvt.pack rn satfinite relu bf16x2 f32 %f, %g
  // PTX-NEXT: cvt.rn.satfinite.relu.bf16x2.f32 %r9, %r1, %r2;
  %finite = ptx.cvt.pack rn satfinite relu bf16x2 f32 %f, %g
  // CHECK-NEXT: %half = ptx.cvt rz satfinite f16 f32 %f
  // PTX-NEXT: cvt.rz.satfinite.f16.f32 %rs7, %r1;
  %half = ptx.cvt rz satfinite f16 f32 %f
  // CHECK-NEXT: %bytes = ptx.pack b32 {%e2m1, %e2m1, %e2m1, %e2m1}
  // PTX-NEXT: mov.b32 %r10, {%rc1, %rc1, %rc1, %rc1};
  %bytes = ptx.pack b32 {%e2m1, %e2m1, %e2m1, %e2m1}
  // CHECK-NEXT: %byte, %byte_1 = ptx.unpack b16 %n -> 2 x i8
  // PTX-NEXT: mov.b16 {%rc2, %rc3}, %rs1;
  %byte:2 = ptx.unpack b16 %n -> 2 x i8
  // CHECK-NEXT: %number = ptx.cvt rn f32 s8 %byte
  // PTX-NEXT: cvt.rn.f32.s8 %r11, %rc2;
  %number = ptx.cvt rn f32 s8 %byte#0
  ptx.ret
}
}
