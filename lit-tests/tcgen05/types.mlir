// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s

// Element types, roles and layouts of matrices in tensor memory.
// CHECK: ^types(%0: !tcgen05.tmem<128x64xf32>, %1: !tcgen05.tmem<128x64xf16>, %2: !tcgen05.tmem<128x64xi32>,
// CHECK-SAME: %3: !tcgen05.tmem<128x64xbf16, a>, %4: !tcgen05.tmem<128x64xtf32, a>, %5: !tcgen05.tmem<128x64xf8E4M3FN, a>,
// CHECK-SAME: %6: !tcgen05.tmem<128x64xsi8, a>, %7: !tcgen05.tmem<128x64xui8, a>,
// CHECK-SAME: %8: !tcgen05.tmem<64x64xf32, layout_F>, %9: !tcgen05.tmem<64x64xbf16, a, layout_F>,
// CHECK-SAME: %10: !tcgen05.tmem<128x64xf4E2M1FN, a, packed>, %11: !tcgen05.tmem<128x8xf8E8M0FNU, scale>,
// CHECK-SAME: %12: !tcgen05.tmem<256x4xf8E4M3FN, scale, layout_B>, %13: !tcgen05.tmem<64x16xi4, metadata, layout_C>)
ptx.kernel @tensor_memory() {
  ptx.ret
^types(%0 : !tcgen05.tmem<128x64xf32>, %1 : !tcgen05.tmem<128x64xf16, accumulator>, %2 : !tcgen05.tmem<128x64xi32>,
       %3 : !tcgen05.tmem<128x64xbf16, a>, %4 : !tcgen05.tmem<128x64xtf32, a>, %5 : !tcgen05.tmem<128x64xf8E4M3FN, a>,
       %6 : !tcgen05.tmem<128x64xsi8, a>, %7 : !tcgen05.tmem<128x64xui8, a>,
       %8 : !tcgen05.tmem<64x64xf32, layout_F>, %9 : !tcgen05.tmem<64x64xbf16, layout_F, a>,
       %10 : !tcgen05.tmem<128x64xf4E2M1FN, packed, a>, %11 : !tcgen05.tmem<128x8xf8E8M0FNU, scale>,
       %12 : !tcgen05.tmem<256x4xf8E4M3FN, layout_B, scale>, %13 : !tcgen05.tmem<64x16xi4, metadata, layout_C>):
  ptx.ret
}

// Every swizzle mode and order of atoms of descriptors.
// CHECK: !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>
// CHECK-SAME: !tcgen05.smem_descriptor<128x64xf16, k_major, swizzle_32b>
// CHECK-SAME: !tcgen05.smem_descriptor<128x64xf8E5M2, k_major, swizzle_64b, mn_first>
// CHECK-SAME: !tcgen05.smem_descriptor<128x64xf6E2M3FN, k_major, swizzle_128b, k = 32>
// CHECK-SAME: !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b_atom_32b, mn_first, k = 16>
// CHECK-SAME: !tcgen05.smem_descriptor<128x256xf4E2M1FN, k_major, swizzle_128b, packed, k = 64>
ptx.kernel @shared_memory() {
  ptx.ret
^types(%0 : !tcgen05.smem_descriptor<128x64xbf16, k_major, no_swizzle>, %1 : !tcgen05.smem_descriptor<128x64xf16, k_major, swizzle_32b>,
       %2 : !tcgen05.smem_descriptor<128x64xf8E5M2, k_major, swizzle_64b, mn_first>,
       %3 : !tcgen05.smem_descriptor<128x64xf6E2M3FN, k_major, swizzle_128b, k_first, k = 32>,
       %4 : !tcgen05.smem_descriptor<128x64xtf32, mn_major, swizzle_128b_atom_32b, k = 16, mn_first>,
       %5 : !tcgen05.smem_descriptor<128x256xf4E2M1FN, k_major, swizzle_128b, k = 64, packed>):
  ptx.ret
}
