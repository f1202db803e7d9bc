// RUN: tcgen05 check %s | filecheck %s
// RUN: tcgen05 compile %s 2>&1 >%t.ptx | filecheck %s
// RUN: tcgen05 check %t.ptx | filecheck %s --check-prefix PTX

// Shapes about which the manual and CUTLASS disagree.

!t = !tcgen05.tmem<128x512xf32>
!d = !tcgen05.tmem<128x24xf32>
!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<24x64xbf16, k_major, swizzle_128b>
!d4 = !tcgen05.tmem<128x128xf32>
!a4 = !tcgen05.smem_descriptor<128x192xf4E2M1FN, k_major, no_swizzle, packed>
!sf = !tcgen05.tmem<128x8xf8E4M3FN, scale>
builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @n(%slot : i32, %tile : i32) {
    %p = arith.constant false
    %t = tcgen05.load_address %slot : !t
    %d = tcgen05.slice %t[0, 0] : !t to !d
    %a = tcgen05.slice %t[0, 24] : !t to !a
    %b = tcgen05.descriptor %tile : !b
    // CHECK: warning[T5-SHAPE-007]: tcgen05.mma: A in tensor memory with M 128 needs N 16, 32, ... 256; found 24; the manual allows it, but CUTLASS refuses it
    // PTX: warning[T5-SHAPE-007]: tcgen05.mma: A in tensor memory with M 128 needs N 16, 32, ... 256; found 24; the manual allows it, but CUTLASS refuses it
    tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x24>} : !d, !a, !b
    ptx.ret
  }
  ptx.kernel @k(%slot : i32, %tile : i32) {
    %p = arith.constant false
    %t = tcgen05.load_address %slot : !t
    %d = tcgen05.slice %t[0, 0] : !t to !d4
    %a = tcgen05.descriptor %tile : !a4
    %sf = tcgen05.slice %t[0, 256] : !t to !sf
    // CHECK: warning[T5-SHAPE-006]: tcgen05.mma.block_scale: kind mxf4nvf4 with cta_group 1 without sparse needs K 64; found 96; CUTLASS uses this shape
    // PTX: warning[T5-SHAPE-006]: tcgen05.mma: .kind::mxf4nvf4 with cta_group 1 without sparse needs K 64; found 96; CUTLASS uses this shape
    tcgen05.mma.block_scale %d, %a, %a scales %sf, %sf accumulate %p {idesc = #tcgen05.idesc<mxf4nvf4, e2m1 x e2m1 -> f32, 128x128, scale_type ue4m3, k96>, scale_vectorsize = "block16"} : !d4, !a4, !a4, !sf, !sf
    ptx.ret
  }
}
