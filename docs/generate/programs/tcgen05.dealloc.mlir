ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 256 : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  tcgen05.dealloc %all, %columns : !tcgen05.tmem<128x256xf32>
  ptx.ret
}
