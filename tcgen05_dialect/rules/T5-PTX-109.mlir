ptx.kernel @example(%n : i32, %q : i32) {
  %p = ptx.setp eq b32 %n, %q
  %r = "scf.if"(%p) ({
    scf.yield %n : i32
  }, {}) : (i1) -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%n : i32, %q : i32) {
  %p = ptx.setp eq b32 %n, %q
  %r = scf.if %p -> (i32) {
    scf.yield %n : i32
  } else {
    scf.yield %q : i32
  }
  ptx.ret
}
