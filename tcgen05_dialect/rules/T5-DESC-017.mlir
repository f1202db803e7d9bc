// T5-DESC-017
// section: 9.7.16.3.2
// subject: distance of the swizzle atoms
// statement: The swizzle atoms that an instruction reads do not overlap, and their distances are
//     multiples of the bytes of an atom.
// why: Otherwise the instruction would read the same bytes as several rows or columns, or read an
//     atom from the middle of its pattern.
// fix: set the byte offset to the distance from one swizzle atom to the next

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %tile : i32, %b : i64, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // Instruction descriptor: f16, f16 x f16 -> f32, 128x128.
    %idesc = ptx.constant 0x8200010 : i32
    // The address of the tile in units of 16 bytes, and swizzle_128b with stride 512.
    %c4 = ptx.constant 4 : i32
    %c14 = ptx.constant 14 : i32
    %low = ptx.bfe u32 %tile, %c4, %c14
    %high = ptx.constant 0x40004020 : i32
    %a = ptx.pack b64 {%low, %high}
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %tile : i32, %b : i64, %accumulate : i32) {
    %zero = ptx.constant 0 : i32
    %p = ptx.setp ne b32 %accumulate, %zero
    // Instruction descriptor: f16, f16 x f16 -> f32, 128x128.
    %idesc = ptx.constant 0x8200010 : i32
    // The address of the tile in units of 16 bytes, and swizzle_128b with stride 1024.
    %c4 = ptx.constant 4 : i32
    %c14 = ptx.constant 14 : i32
    %low = ptx.bfe u32 %tile, %c4, %c14
    %high = ptx.constant 0x40004040 : i32
    %a = ptx.pack b64 {%low, %high}
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %p
    ptx.ret
  }
}
