// T5-PTX-044
// section: 9.7.13.15.16
// subject: parity of a phase
// statement: The parity of a phase is 0 or 1: the number of the phase modulo two.
// why: The instruction compares only one bit.
// fix: wait for the phase number modulo two

ptx.kernel @example(%barrier : i32) {
  %parity = ptx.constant 2 : i32
  ptx.mbarrier.wait [%barrier], %parity
  ptx.ret
}

// -----

ptx.kernel @example(%barrier : i32) {
  %parity = ptx.constant 0 : i32
  ptx.mbarrier.wait [%barrier], %parity
  ptx.ret
}
