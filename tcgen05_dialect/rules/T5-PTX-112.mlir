ptx.kernel @example(%x : i32) {
  %field = ptx.inline "bfe.u32 $0, %r1, 4, 15;" (%x : i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32) {
  %field = ptx.inline "bfe.u32 $0, $1, 4, 15;" (%x : i32) -> i32
  ptx.ret
}
