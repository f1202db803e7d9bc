ptx.kernel @example(%n : i32, %w : i64) {
  %p = ptx.setp eq b32 %n, %n
  %r = scf.if %p -> (i32) {
    scf.yield %w : i64
  } else {
    scf.yield %n : i32
  }
  ptx.ret
}

// -----

ptx.kernel @example(%n : i32, %w : i32) {
  %p = ptx.setp eq b32 %n, %n
  %r = scf.if %p -> (i32) {
    scf.yield %w : i32
  } else {
    scf.yield %n : i32
  }
  ptx.ret
}
