// T5-PTX-109
// section: 9.7.12
// subject: region of structured control flow
// statement: A region of structured control flow is one block that ends with its terminator.
// why: Other regions cannot be lowered to branches.
// fix: give each region one block that ends with its terminator, such as scf.yield; give an scf.if
//     with results an else region

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
