// T5-SCALE-001
// section: 9.7.16.10.7.2
// subject: scale factor data ID
// statement: The scale factor ID, which selects bytes of the cells, is legal for the number of
//     scale factors in a row.
// why: The MMA would read scale factors from other bytes of the cells.
// fix: use an ID that is legal for the number of scale factors

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %scales : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: mxf4, e2m1 x e2m1 -> f32, 128x128, scale factor A ID 1.
  %idesc = ptx.constant 0x28a00480 : i32
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4 scale_vec_2x [%d], %a, %b, %idesc, [%scales], [%scales], %p
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %scales : i32, %accumulate : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %accumulate, %zero
  // Instruction descriptor: mxf4, e2m1 x e2m1 -> f32, 128x128, scale factor A ID 2.
  %idesc = ptx.constant 0x48a00480 : i32
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4 scale_vec_2x [%d], %a, %b, %idesc, [%scales], [%scales], %p
  ptx.ret
}
