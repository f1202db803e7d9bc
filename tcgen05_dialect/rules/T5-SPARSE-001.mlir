// T5-SPARSE-001
// section: 9.7.16.10.8
// subject: index in the sparsity metadata
// statement: Each index in the sparsity metadata is legal for the granularity of the kind.
// why: Other indices select no elements; the manual leaves them undefined.
// fix: use an index that the granularity allows

ptx.kernel @example(%slot : i32) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %metadata = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<32x8xi4, metadata>
  // Eight metadata indices 0b0000.
  %indices = arith.constant 0x00000000 : i32
  tcgen05.st shape_32x32b x1 %metadata, (%indices) : !tcgen05.tmem<32x8xi4, metadata>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %metadata = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<32x8xi4, metadata>
  // Eight metadata indices 0b1110.
  %indices = arith.constant 0xEEEEEEEE : i32
  tcgen05.st shape_32x32b x1 %metadata, (%indices) : !tcgen05.tmem<32x8xi4, metadata>
  ptx.ret
}
