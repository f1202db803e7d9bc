// T5-DESC-005
// section: 9.7.16.4.1
// subject: matrix base offset
// statement: A tile begins at a period boundary of its swizzle pattern, or its descriptor has the
//     base offset that gives the distance from that boundary.
// why: The hardware derives the swizzle pattern from the address. If a tile begins elsewhere, the
//     hardware permutes the rows differently from the program.
// fix: begin the tile at a multiple of the period of its swizzle, and leave the base offset 0

ptx.kernel @example() {
  %address = arith.constant 128 : i32
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}

// -----

ptx.kernel @example() {
  %address = arith.constant 1024 : i32
  %tile = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}
