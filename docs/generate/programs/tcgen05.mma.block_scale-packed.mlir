// Packed elements of 4 bits. Each block of 16 elements has a scale factor of type ue4m3.
!a = !tcgen05.smem_descriptor<128x64xf4E2M1FN, k_major, swizzle_32b, packed>
!b = !tcgen05.smem_descriptor<64x64xf4E2M1FN, k_major, swizzle_32b, packed>
!all = !tcgen05.tmem<128x128xf32>
!d = !tcgen05.tmem<128x64xf32>
!sfa = !tcgen05.tmem<128x4xf8E4M3FN, scale>
!sfb = !tcgen05.tmem<64x4xf8E4M3FN, scale>
builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%slot : i32, %a_tile : i32, %b_tile : i32) {
    %true = arith.constant true
    %all = tcgen05.load_address %slot : !all
    %d = tcgen05.slice %all[0, 0] : !all to !d
    %sfa = tcgen05.slice %all[0, 64] : !all to !sfa
    %sfb = tcgen05.slice %all[0, 68] : !all to !sfb
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    tcgen05.mma.block_scale %d, %a, %b scales %sfa, %sfb accumulate %true
        {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x64, scale_type ue4m3>}
        : !d, !a, !b, !sfa, !sfb
    ptx.ret
  }
}
