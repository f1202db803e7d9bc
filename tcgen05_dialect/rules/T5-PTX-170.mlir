// T5-PTX-170
// section: 9.7.2
// subject: carry
// statement: A carry is read while the condition code register holds it.
// why: PTX has a single condition code register, which instructions do not name: each instruction
//     with `.cc` overwrites it, and a call does not preserve it.
// fix: move the instruction after the one that sets the carry, before any other instruction sets a
//     carry

ptx.kernel @example(%x : i32, %y : i32) {
  %low, %carry = ptx.add.cc u32 %x, %y
  %rest, %borrow = ptx.sub.cc u32 %x, %y
  %high = ptx.addc u32 %x, %y, %carry
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %low, %carry = ptx.add.cc u32 %x, %y
  %high = ptx.addc u32 %x, %y, %carry
  %rest, %borrow = ptx.sub.cc u32 %x, %y
  ptx.ret
}
