ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 4613664589601570816 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%known)
  ptx.ret
}

// -----

ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
  %p = ptx.setp ne b32 %x, %d
  %known = ptx.constant 1978571174182912 : i64
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %idesc, %p zero_column_mask(%known)
  ptx.ret
}
