// T5-PTX-103
// section: 9.3
// subject: guarded body
// statement: A guard covers instructions without results, or one instruction together with the
//     values that its results keep where it is not executed.
// why: If the predicate is false, the result keeps the old value of its register; an SSA value has
//     no old value of its own.
// fix: guard single instructions without results; give an instruction with results `else` and the
//     values to keep, or choose between values with ptx.selp

ptx.kernel @example(%x : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %x, %zero
  ptx.guard %p {
    %y = ptx.add u32 %x, %x
  }
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %zero = ptx.constant 0 : i32
  %p = ptx.setp ne b32 %x, %zero
  ptx.guard %p {
    ptx.nanosleep %x
  }
  ptx.ret
}
