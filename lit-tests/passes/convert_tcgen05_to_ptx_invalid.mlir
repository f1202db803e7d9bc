// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// What becomes known by folding is checked when it is lowered.

ptx.kernel @columns(%slot : i32) {
  %c33 = arith.constant 33 : i32
  %c66 = arith.addi %c33, %c33 : i32
  // CHECK: error[T5-ALLOC-001]: tcgen05.alloc: number of columns must be 32, 64, 128, 256 or 512; found 66
  tcgen05.alloc %slot, %c66
  ptx.ret
}

// -----

ptx.kernel @slice(%slot : i32) {
  %c100 = arith.constant 100 : i32
  %lane = arith.addi %c100, %c100 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: lanes of the slice must be within 0 to 127; found 200 to 231
  %e = tcgen05.slice %d[%lane, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x64xf32>
  tcgen05.shift %e : !tcgen05.tmem<32x64xf32>
  ptx.ret
}

// -----

ptx.kernel @descriptor(%slot : i32) {
  %c64 = arith.constant 64 : i32
  %address = arith.addi %c64, %c64 : i32
  // CHECK: error[T5-DESC-005]: tcgen05.descriptor: address of the tile must be a multiple of 1024, the period of swizzle_128b; found 128
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @columns_of_slice(%slot : i32) {
  %c250 = arith.constant 250 : i32
  %column = arith.addi %c250, %c250 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x512xf32>
  // CHECK: error[T5-TMEM-003]: tcgen05.slice: columns of the slice must be within 0 to 511; found 500 to 531
  %e = tcgen05.slice %d[0, %column] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

// All instructions of a kernel are of one CTA, or all of a pair.
ptx.kernel @mixed(%slot : i32, %barrier : i32) {
  %c32 = arith.constant 32 : i32
  tcgen05.alloc %slot, %c32 {cta_group = 2 : i32}
  // CHECK: error[T5-CTA_GROUP-002]: tcgen05.commit: cta_group of all instructions of a kernel must be cta_group 2, as tcgen05.alloc in line 51 has; found cta_group 1
  tcgen05.commit %barrier
  ptx.ret
}

// -----

// Clusters consist of CTA pairs.
ptx.kernel @odd(%slot : i32) attributes {cluster_dims = array<i32: 3, 1>} {
  %c32 = arith.constant 32 : i32
  // CHECK: error[T5-CTA_GROUP-003]: tcgen05.alloc: number of CTAs of the cluster must be a multiple of 2; found 3 with cta_group 2
  tcgen05.alloc %slot, %c32 {cta_group = 2 : i32}
  ptx.ret
}
