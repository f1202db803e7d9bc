// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: expected the extents of a box, as in 128x64xbf16
ptx.kernel @no_extents(%map : !ptx.tensor_map<bf16>) {
  ptx.ret
}

// -----

// CHECK: expected 'x' and the element type of the box, without spaces, as in 64x32xbf16
ptx.kernel @no_element(%map : !ptx.tensor_map<64x32>) {
  ptx.ret
}

// -----

// CHECK: expected 'x' and the element type of the box, without spaces, as in 64x32xbf16
ptx.kernel @spaces(%map : !ptx.tensor_map<64 x 32 x bf16>) {
  ptx.ret
}

// -----

// CHECK: found e4m3
ptx.kernel @element(%map : !ptx.tensor_map<128x64xe4m3>) {
  ptx.ret
}

// -----

// CHECK: found swizzle_256b
ptx.kernel @swizzle(%map : !ptx.tensor_map<128x64xbf16, swizzle_256b>) {
  ptx.ret
}

// -----

// CHECK: error[T5-MAP-001]: ptx.kernel: each of the extents of the box must be 1 to 256; found 512
ptx.kernel @extent(%map : !ptx.tensor_map<512x64xbf16, swizzle_128b>) {
  ptx.ret
}

// -----

// CHECK: error[T5-MAP-001]: ptx.kernel: the number of extents of the box must be 1 to 5; found 6
ptx.kernel @rank(%map : !ptx.tensor_map<1x1x1x1x1x16xu8>) {
  ptx.ret
}

// -----

// CHECK: error[T5-MAP-001]: ptx.kernel: the number of bytes in a row of the box with swizzle_64b must be 16, 32, 48 or 64; found 128
ptx.kernel @row(%map : !ptx.tensor_map<128x64xbf16, swizzle_64b>) {
  ptx.ret
}

// -----

// CHECK: error[T5-MAP-001]: ptx.kernel: the number of bytes in a row of the box with no_swizzle must be a multiple of 16, at most 2048; found 24
ptx.kernel @odd_row(%map : !ptx.tensor_map<4x12xbf16>) {
  ptx.ret
}

// -----

// CHECK: error[T5-MAP-001]: ptx.kernel: the swizzle mode of a tensor map of b6x16_p32 must be no_swizzle, swizzle_128b or swizzle_128b_atom_32b; found swizzle_64b
ptx.kernel @packed_swizzle(%map : !ptx.tensor_map<4x128xb6x16_p32, swizzle_64b>) {
  ptx.ret
}

// -----

// CHECK: error[T5-MAP-001]: ptx.kernel: for b6x16_p32, the innermost of the extents of the box must be 128; found 64
ptx.kernel @packed_row(%map : !ptx.tensor_map<4x64xb6x16_p32>) {
  ptx.ret
}
