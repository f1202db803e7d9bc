// T5-PTX-104
// section: 9.7
// subject: lowering of an operation
// statement: A kernel consists of operations that have a lowering to PTX.
// why: Other operations cannot be printed as PTX.
// fix: use operations of tcgen05, ptx, arith, math, scf and cf inside a kernel, and lower them
//     before printing PTX

ptx.kernel @example(%p : i64, %a : i32, %b : i32) {
  %low, %high = arith.mului_extended %a, %b : i32
  ptx.st global b32 [%p], {%high}
  ptx.ret
}

// -----

ptx.kernel @example(%p : i64, %a : i32, %b : i32) {
  %high = ptx.mul hi u32 %a, %b
  ptx.st global b32 [%p], {%high}
  ptx.ret
}
