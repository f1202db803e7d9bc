// T5-PTX-110
// section: 9.7.12
// subject: types of the values passed by structured control flow
// statement: Values passed by structured control flow have the types of the block arguments and
//     results that receive them.
// why: The register of the receiver would have another type.
// fix: pass values of the types of the receiving block arguments and results

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
