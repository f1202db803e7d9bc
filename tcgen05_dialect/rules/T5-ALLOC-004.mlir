ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 32 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  tcgen05.dealloc %d, %columns : !tcgen05.tmem<128x64xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 64 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  tcgen05.dealloc %d, %columns : !tcgen05.tmem<128x64xf32>
  ptx.ret
}
