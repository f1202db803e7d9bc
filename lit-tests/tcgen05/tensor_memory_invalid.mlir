// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @lanes(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: lanes of the slice must be within 0 to 127; found 112 to 143
  %s = tcgen05.slice %d[112, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

ptx.kernel @columns(%slot : i32, %lane : i32) {
  %c48 = arith.constant 48 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: columns of the slice must be within 0 to 63; found 48 to 79
  %s = tcgen05.slice %d[%lane, %c48] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

ptx.kernel @negative(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: columns of the slice must be within 0 to 63; found -1 to 30
  %s = tcgen05.slice %d[0, -1] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

ptx.kernel @too_wide(%slot : i32, %column : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: number of columns of the slice must be at most 64; found 128
  %s = tcgen05.slice %d[0, %column] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x128xf32>
  ptx.ret
}

// -----

ptx.kernel @one_offset(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: number of offsets of a slice must be 2, [lane, column]; found 1
  %s = tcgen05.slice %d[0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

ptx.kernel @lanes_of_half_a_warp(%slot : i32) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<64x32xf32, layout_F>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: lanes of the slice must be within 0 to 111 (layout_F uses 16 lanes of each warp: slice those, for shape_16x64b or shape_16x128b or shape_16x256b or shape_16x32bx2); found 96 to 127
  %s = tcgen05.slice %d[96, 0] : !tcgen05.tmem<64x32xf32, layout_F> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}
