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
