ptx.kernel @example(%x : i32) {
  %d:4 = ptx.mma.sync m16n8k16 row col f32 f16 f16 f32 {%x, %x}, {%x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %d:4 = ptx.mma.sync m16n8k16 row col f32 f16 f16 f32 {%x, %x, %x, %x}, {%x, %x}, {%x, %x, %x, %x} -> 4 x i32
  ptx.ret
}
