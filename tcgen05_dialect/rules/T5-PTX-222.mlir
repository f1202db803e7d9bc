ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.red.async min u64 [%to], %d, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  ptx.red.async min u32 [%to], %x, [%full]
  ptx.ret
}
