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
