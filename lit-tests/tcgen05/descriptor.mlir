// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!a1 = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
!b = !tcgen05.smem_descriptor<64x32xbf16, mn_major, swizzle_128b>
!n = !tcgen05.smem_descriptor<64x64xf16, k_major, no_swizzle, mn_first>
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @tiles size 65536 alignment 1024
ptx.kernel @descriptors(%address : i32, %stage : i32) {
  %slot = ptx.address_of @slot
  // CHECK: %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // GENERIC: %a = "tcgen05.descriptor"(%address) : (i32) -> !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // PTX: shr.u32 %r[[SHIFTED:[0-9]+]], %r1, 4;
  // PTX-NEXT: and.b32 %r[[START:[0-9]+]], %r[[SHIFTED]], 16383;
  // PTX-NEXT: or.b32 %r[[LOW:[0-9]+]], %r[[START]], 65536;
  // PTX-NEXT: mov.b64 %rd[[A:[0-9]+]], {%r[[LOW]], 1073758272};
  %a = tcgen05.descriptor %address : !a
  // CHECK: %tile = tcgen05.tile %a[%stage] : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // GENERIC: %tile = "tcgen05.tile"(%a, %stage) : (!tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>, i32) -> !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // PTX-NEXT: mul.wide.s32 %rd[[STEP:[0-9]+]], %r2, 1024;
  // PTX-NEXT: add.s64 %rd[[TILE:[0-9]+]], %rd[[A]], %rd[[STEP]];
  %tile = tcgen05.tile %a[%stage] : !a
  // CHECK: %apart = tcgen05.tile %a[%stage], stride = 49152 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // GENERIC: %apart = "tcgen05.tile"(%a, %stage) <{stride = 49152 : i32}> :
  // PTX-NEXT: mul.wide.s32 %rd[[FAR:[0-9]+]], %r2, 3072;
  // PTX-NEXT: add.s64 %rd[[APART:[0-9]+]], %rd[[A]], %rd[[FAR]];
  %apart = tcgen05.tile %a[%stage], stride = 49152 : !a
  // CHECK: %tile1 = tcgen05.advance %tile, k = 16 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // GENERIC: %tile1 = "tcgen05.advance"(%tile) <{k = 16 : i32}> : (!tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>) -> !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
  // PTX-NEXT: add.s64 %rd[[TILE1:[0-9]+]], %rd[[TILE]], 2;
  %tile1 = tcgen05.advance %tile, k = 16 : !a
  // Each step costs one add of the first descriptor.
  // CHECK: %tile2 = tcgen05.advance %tile1, k = 16 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
  // PTX-NEXT: add.s64 %rd[[TILE2:[0-9]+]], %rd[[TILE]], 4;
  %tile2 = tcgen05.advance %tile1, k = 16 : !a1
  // CHECK: %back = tcgen05.advance %tile1, k = -16 : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 16>
  %back = tcgen05.advance %tile1, k = -16 : !a1
  %true = arith.constant true
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %p = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<128x8xf32>
  %q = tcgen05.slice %d[0, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<128x8xf32>
  // PTX: tcgen05.cp.cta_group::1.128x256b [%r[[D:[0-9]+]]], %rd[[TILE1]];
  // PTX-NEXT: tcgen05.cp.cta_group::1.128x256b [%r[[D]]+8], %rd[[TILE2]];
  // PTX-NEXT: tcgen05.cp.cta_group::1.128x256b [%r[[D]]], %rd[[TILE]];
  tcgen05.cp shape_128x256b %p, %tile1 : !tcgen05.tmem<128x8xf32>, !a1
  tcgen05.cp shape_128x256b %q, %tile2 : !tcgen05.tmem<128x8xf32>, !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b, k = 32>
  tcgen05.cp shape_128x256b %p, %back : !tcgen05.tmem<128x8xf32>, !a

  // PTX-NEXT: tcgen05.cp.cta_group::1.128x256b [%r[[D]]], %rd[[APART]];
  tcgen05.cp shape_128x256b %p, %apart : !tcgen05.tmem<128x8xf32>, !a

  // Where the address is known, the whole is one constant; here 0x4000404000010400 and steps.
  // CHECK: %known = tcgen05.descriptor %zero : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  // PTX-NEXT: tcgen05.cp.cta_group::1.128x256b [%r[[D]]], 4611756662049539072;
  // PTX-NEXT: tcgen05.cp.cta_group::1.128x256b [%r[[D]]], 4611756662049540096;
  // PTX-NEXT: tcgen05.cp.cta_group::1.128x256b [%r[[D]]], 4611756662049540098;
  %zero = arith.constant 16384 : i32
  %one = arith.constant 1 : i32
  %known = tcgen05.descriptor %zero : !a
  %second = tcgen05.tile %known[%one] : !a
  %moved = tcgen05.advance %second, k = 16 : !a
  tcgen05.cp shape_128x256b %p, %known : !tcgen05.tmem<128x8xf32>, !a
  tcgen05.cp shape_128x256b %p, %second : !tcgen05.tmem<128x8xf32>, !a
  tcgen05.cp shape_128x256b %p, %moved : !tcgen05.tmem<128x8xf32>, !a1

  // CHECK: tcgen05.descriptor %tiles : !tcgen05.smem_descriptor<64x32xbf16, mn_major, swizzle_128b>
  %tiles = ptx.address_of @tiles
  %b = tcgen05.descriptor %tiles : !b
  // CHECK: tcgen05.advance %b, k = 16 : !tcgen05.smem_descriptor<64x32xbf16, mn_major, swizzle_128b>
  %b1 = tcgen05.advance %b, k = 16 : !b
  // CHECK: tcgen05.descriptor %tiles : !tcgen05.smem_descriptor<64x64xf16, k_major, no_swizzle, mn_first>
  %n = tcgen05.descriptor %tiles : !n
  ptx.ret
}
