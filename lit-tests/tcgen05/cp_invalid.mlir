// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @shape(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-001]: tcgen05.cp: Shape and multicast, shape: found shape_256x256b; legal: shape_4x256b, shape_32x128b, shape_64x128b, shape_128x128b, shape_128x256b
  tcgen05.cp %d, %tile {shape = "shape_256x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @multicast(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-002]: tcgen05.cp: Shape and multicast, multicast with shape shape_64x128b: found none; legal: warpx2_01_23, warpx2_02_13
  tcgen05.cp %d, %tile {shape = "shape_64x128b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @needless_multicast(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-002]: tcgen05.cp: Shape and multicast, multicast with shape shape_128x256b: found warpx4; legal: none
  tcgen05.cp %d, %tile {shape = "shape_128x256b", multicast = "warpx4"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @format(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-003]: tcgen05.cp: format: found b8x16; legal: none, b4x16_p64, b6x16_p32
  tcgen05.cp %d, %tile {shape = "shape_128x256b", format = "b8x16"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, no_swizzle>
ptx.kernel @format_of_other_elements(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-005]: tcgen05.cp: size of the elements of the source of cp: found e4m3; legal: 4-bit elements
  tcgen05.cp %d, %tile {shape = "shape_128x256b", format = "b4x16_p64"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @columns(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %part = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<128x4xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-TMEM-004]: tcgen05.cp: lanes and columns of the accessed region: found 4 columns; legal: at least 8
  tcgen05.cp %part, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x4xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<64x16xbf16, k_major, no_swizzle>
ptx.kernel @rows(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-004]: tcgen05.cp: rows of the source: found 64; legal: at least 128
  tcgen05.cp %d, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x8xbf16, k_major, no_swizzle>
ptx.kernel @row(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-CP-004]: tcgen05.cp: bits of a row of the source: found 128; legal: at least 256
  tcgen05.cp %d, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}

// -----

!tile = !tcgen05.smem_descriptor<128x64xbf16, mn_major, swizzle_128b>
ptx.kernel @major(%slot : i32, %address : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  // CHECK: error[T5-SWIZZLE-004]: tcgen05.cp: majorness of the source: found mn_major; legal: k_major
  tcgen05.cp %d, %tile {shape = "shape_128x256b"} : !tcgen05.tmem<128x32xf32>, !tile
  ptx.ret
}
