// RUN: tcgen05-opt %s | filecheck %s

// The older spelling, with qualifiers in attribute dictionaries, is printed as the present one.
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
!t = !tcgen05.tmem<128x16xbf16, a>
ptx.kernel @qualifiers(%slot : i32, %mask : i16, %n : i32) {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %t : !t, %p : i1):
  // CHECK: tcgen05.mma collector use %d, %a, %b accumulate %p scale_input_d(15) {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} :
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>, collector = "use", scale_input_d = 15 : i32} : !d, !a, !b
  // CHECK-NEXT: tcgen05.mma ashift collector lastuse %d, %t, %b accumulate %p descriptor %n kind f16 disable_output_lane(%n, %n, %n, %n) :
  tcgen05.mma %d, %t, %b accumulate %p descriptor %n disable_output_lane(%n, %n, %n, %n) {ashift, kind = "f16", collector = "lastuse"} : !d, !t, !b
  // CHECK-NEXT: tcgen05.cp shape_64x128b warpx2_02_13 %d, %a :
  tcgen05.cp %d, %a {multicast = "warpx2_02_13", shape = "shape_64x128b", cta_group = 1 : i32} : !d, !a
  // CHECK-NEXT: tcgen05.commit %slot multicast %mask
  tcgen05.commit %slot multicast %mask
  // CHECK-NEXT: tcgen05.relinquish_alloc_permit
  tcgen05.relinquish_alloc_permit {cta_group = 1 : i32}
  ptx.ret
}

!d2 = !tcgen05.tmem<128x256xf32>
!sfb = !tcgen05.tmem<256x4xf8E8M0FNU, scale>
!s = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!x = !tcgen05.smem_descriptor<128x128xf8E4M3FN, k_major, swizzle_128b>
ptx.kernel @pairs(%slot : i32, %columns : i32) {
  ptx.ret
^operands(%d : !d2, %x : !x, %sfa : !s, %sfb : !sfb, %p : i1):
  // CHECK: tcgen05.alloc cta_group_2 %slot, %columns
  tcgen05.alloc %slot, %columns {cta_group = 2 : i32}
  // CHECK-NEXT: tcgen05.mma.block_scale cta_group_2 scale_vec_1x %d, %x, %x scales %sfa, %sfb[id = 3] accumulate %p {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 256x256, scale_type ue8m0>} :
  tcgen05.mma.block_scale %d, %x, %x scales %sfa, %sfb accumulate %p {cta_group = 2 : i32, idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 256x256, scale_type ue8m0, sfb_id 3>, scale_vectorsize = "scale_vec_1x"} : !d2, !x, !x, !s, !sfb
  // CHECK-NEXT: tcgen05.dealloc cta_group_2 %d, %columns :
  tcgen05.dealloc %d, %columns {cta_group = 2 : i32} : !d2
  ptx.ret
}
