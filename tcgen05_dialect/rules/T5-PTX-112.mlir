// T5-PTX-112
// section: 4.3
// subject: text of the inline instruction
// statement: Inline PTX is one instruction that ends with a semicolon. It names each result and
//     each operand with a placeholder: $0, $1 and so on, the results first.
// why: Other text would change the registers, labels or blocks around it.
// fix: write one instruction with a placeholder for each result and operand

ptx.kernel @example(%x : i32) {
  %field = ptx.inline "bfe.u32 $0, %r1, 4, 15;" (%x : i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %field = ptx.inline "bfe.u32 $0, $1, 4, 15;" (%x : i32) -> i32
  ptx.ret
}
