// T5-PTX-060
// section: 9.7.13.1
// subject: number of a barrier
// statement: The number of a barrier is one of the named barriers of a CTA.
// why: There is no barrier with another number.
// fix: use barriers {first} to {last}

ptx.kernel @example() {
  %barrier = ptx.constant 16 : i32
  ptx.bar.sync %barrier
  ptx.ret
}

// -----

ptx.kernel @example() {
  %barrier = ptx.constant 1 : i32
  ptx.bar.sync %barrier
  ptx.ret
}
