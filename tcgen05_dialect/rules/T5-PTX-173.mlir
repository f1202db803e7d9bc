// T5-PTX-173
// section: 9.7.19.3
// subject: performance monitor event
// statement: A performance monitor event has a number from 0 to {last}, which is also the position
//     of its bit in a mask.
// why: There are no other events; ptxas refuses other numbers.
// fix: use a number from 0 to {last}, or a mask of {count} bits

ptx.kernel @example() {
  ptx.pmevent 16
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.pmevent 15
  ptx.ret
}
