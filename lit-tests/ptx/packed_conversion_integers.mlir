// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @packed_integers(%x : i32, %y : i32) {
  // CHECK: %halves = ptx.cvt.pack_integers s16 s32 %x, %y
  // PTX: cvt.pack.sat.s16.s32 %r3, %r1, %r2;
  %halves = ptx.cvt.pack_integers s16 s32 %x, %y
  // CHECK-NEXT: %bytes = ptx.cvt.pack_short_integers s8 s32 %x, %y, %halves
  // PTX-NEXT: cvt.pack.sat.s8.s32.b32 %r4, %r1, %r2, %r3;
  %bytes = ptx.cvt.pack_short_integers s8 s32 %x, %y, %halves
  // CHECK-NEXT: %nibbles = ptx.cvt.pack_short_integers u4 s32 %x, %y, %bytes
  // PTX-NEXT: cvt.pack.sat.u4.s32.b32 %r5, %r1, %r2, %r4;
  %nibbles = ptx.cvt.pack_short_integers u4 s32 %x, %y, %bytes
  ptx.ret
}
