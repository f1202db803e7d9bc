// T5-WAIT-001
// section: 9.7.16.8.5
// subject: operation to wait for
// statement: A tcgen05 wait waits for the ld or for the st instructions of the thread.
// why: The instruction has no other form.
// fix: wait for ld or for st

ptx.kernel @example() {
  "tcgen05.wait"() <{operation = "mma"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @example() {
  "tcgen05.wait"() <{operation = "ld"}> : () -> ()
  ptx.ret
}
