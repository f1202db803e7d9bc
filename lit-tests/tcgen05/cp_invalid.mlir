// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @shape(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-001]: tcgen05.cp: shape must be shape_4x256b, shape_32x128b, shape_64x128b, shape_128x128b or shape_128x256b; found shape_256x256b
  tcgen05.cp %d, %tile {shape = "shape_256x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @multicast(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-002]: tcgen05.cp: shape_64x128b needs multicast warpx2_01_23 or warpx2_02_13; found none
  tcgen05.cp %d, %tile {shape = "shape_64x128b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @needless_multicast(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-002]: tcgen05.cp: shape_128x256b takes no multicast; found warpx4
  tcgen05.cp %d, %tile {shape = "shape_128x256b", multicast = "warpx4"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @format(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-003]: tcgen05.cp: format must be none, b4x16_p64 or b6x16_p32; found b8x16
  tcgen05.cp %d, %tile {shape = "shape_128x256b", format = "b8x16"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, no_swizzle>
ptx.kernel @format_of_other_elements(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-005]: tcgen05.cp: elements of the source of cp must be 4-bit elements; found e4m3
  tcgen05.cp %d, %tile {shape = "shape_128x256b", format = "b4x16_p64"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @columns(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<128x4xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-TMEM-004]: tcgen05.cp: accessed region must be at least 8 columns; found 4 columns
  tcgen05.cp %part, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x4xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<64x16xbf16, k_major, no_swizzle>
ptx.kernel @rows(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-004]: tcgen05.cp: rows of the source must be at least 128; found 64
  tcgen05.cp %d, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x8xbf16, k_major, no_swizzle>
ptx.kernel @row(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-004]: tcgen05.cp: bits of a row of the source must be at least 256; found 128
  tcgen05.cp %d, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, mn_major, swizzle_128b>
ptx.kernel @major(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-SWIZZLE-004]: tcgen05.cp: majorness of the source must be k_major; found mn_major
  tcgen05.cp %d, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}
