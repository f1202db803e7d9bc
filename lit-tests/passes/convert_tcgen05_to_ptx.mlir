// RUN: tcgen05-opt %s -p convert-tcgen05-to-ptx | filecheck %s

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
// CHECK-LABEL: ptx.kernel @mma
ptx.kernel @mma(%slot : i32, %tiles : i32, %stage : i32, %p32 : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %p32, %zero : i32
  // CHECK: %[[D:.*]] = ptx.ld "shared::cta" b32 [%slot] -> i32
  %d = tcgen05.load_address %slot : !d
  // CHECK-NEXT: %[[UNITS:.*]] = ptx.shr u32 %tiles, %{{.*}}
  // CHECK-NEXT: %[[START:.*]] = ptx.and b32 %[[UNITS]], %{{.*}}
  // CHECK-NEXT: %[[LOW:.*]] = ptx.or b32 %[[START]], %{{.*}}
  // CHECK-NEXT: %[[RING:.*]] = ptx.pack b64 {%[[LOW]], %{{.*}}}
  %ring = tcgen05.descriptor %tiles : !a
  // CHECK-NEXT: %[[STEP:.*]] = ptx.mul.wide s32 %stage, %{{.*}}
  // CHECK-NEXT: %[[A:.*]] = ptx.add s64 %[[RING]], %[[STEP]]
  %a = tcgen05.tile %ring[%stage] : !a
  %b = tcgen05.descriptor %tiles : !b
  // The types of block arguments, of results of other operations, and of their operands change.
  // CHECK: %{{.*}}, %{{.*}} = scf.if %{{.*}} -> (i64, i32) {
  // CHECK-NEXT: scf.yield %[[A]], %[[D]] : i64, i32
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.yield %[[RING]], %[[D]] : i64, i32
  %c, %e = scf.if %p -> (!a, !d) {
    scf.yield %a, %d : !a, !d
  } else {
    scf.yield %ring, %d : !a, !d
  }
  // CHECK: cf.br ^[[NEXT:.*]](%{{.*}}, %{{.*}} : i64, i32)
  cf.br ^next(%c, %e : !a, !d)
  // CHECK-NEXT: ^[[NEXT]](%[[X:.*]]: i64, %[[Y:.*]]: i32):
^next(%x : !a, %y : !d):
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f16 [%[[Y]]], %[[X]], %{{.*}}, %{{.*}}, %{{.*}}
  tcgen05.mma %y, %x, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>} : !d, !a, !b
  ptx.ret
}
