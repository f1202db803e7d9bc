// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @collector() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-COLLECTOR-001]: tcgen05.mma: collector must be discard, fill, lastuse or use; found keep
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>, collector = "keep"} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @ashift_of_shared_memory() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-COLLECTOR-002]: tcgen05.mma: .ashift needs A in tensor memory; found shared
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>, ashift} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @ashift_and_collector() {
  ptx.ret
^operands(%d : !d, %t : !t, %b : !b, %p : i1):
  // CHECK: error[T5-COLLECTOR-002]: tcgen05.mma: .ashift needs collector discard or lastuse; found use
  tcgen05.mma %d, %t, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>, ashift, collector = "use"} : !d, !t, !b
  ptx.ret
}

// -----

!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!h = !tcgen05.tmem<64x64xf32, layout_F>
!u = !tcgen05.tmem<64x16xbf16, a, layout_F>
ptx.kernel @ashift_of_64_rows() {
  ptx.ret
^operands(%b : !b, %h : !h, %u : !u, %p : i1):
  // CHECK: error[T5-COLLECTOR-002]: tcgen05.mma: .ashift needs M 128 or 256; found 64
  tcgen05.mma %h, %u, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 64x64>, ashift} : !h, !u, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @scale_input_d() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-MMA-002]: tcgen05.mma: scale-input-d must be 0, 1, ... 15; found 16
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>, scale_input_d = 16 : i32} : !d, !a, !b
  ptx.ret
}

// -----

!t = !tcgen05.tmem<128x16xbf16, a>
!i = !tcgen05.tmem<128x64xi32>
!x = !tcgen05.smem_descriptor<128x32xsi8, k_major, swizzle_32b>
!y = !tcgen05.smem_descriptor<64x32xsi8, k_major, swizzle_32b>
ptx.kernel @scale_input_d_of_integers() {
  ptx.ret
^operands(%i : !i, %x : !x, %y : !y, %p : i1):
  // CHECK: error[T5-MMA-001]: tcgen05.mma: kind i8 takes no scale_input_d
  tcgen05.mma %i, %x, %y accumulate %p {idesc = #tcgen05.idesc<i8, s8 x s8 -> s32, 128x64>, scale_input_d = 1 : i32} : !i, !x, !y
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @lanes() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1, %n : i32):
  // CHECK: error[T5-MMA-001]: tcgen05.mma: number of registers of disable-output-lane must be 4; found 2
  tcgen05.mma %d, %a, %b accumulate %p disable_output_lane(%n, %n) {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}

// -----

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
builtin.module attributes {ptx.target = #ptx.target<"sm_110a", "9.0">} {
  ptx.kernel @target_of_scale_input_d() {
    ptx.ret
  ^operands(%d : !d, %a : !a, %b : !b, %p : i1):
    // CHECK: error[T5-TARGET-007]: tcgen05.mma: target for scale-input-d must be sm_100a, sm_100f, sm_103a or sm_103f; found sm_110a
    tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>, scale_input_d = 1 : i32} : !d, !a, !b
    ptx.ret
  }
}

// -----

// Only kinds mxf4 and mxf4nvf4 pack elements of fewer than 8 bits.
!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x32xf4E2M1FN, k_major, no_swizzle, packed>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
ptx.kernel @packing() {
  ptx.ret
^operands(%d : !d, %a : !a, %b : !b, %p : i1):
  // CHECK: error[T5-TYPE-005]: tcgen05.mma: packing of A must be padded; found packed
  tcgen05.mma %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f8f6f4, e2m1 x e4m3 -> f32, 128x64>} : !d, !a, !b
  ptx.ret
}
