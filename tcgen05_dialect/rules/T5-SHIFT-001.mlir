ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %part = tcgen05.slice %d[16, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<64x8xf32>
  tcgen05.shift %part : !tcgen05.tmem<64x8xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %part = tcgen05.slice %d[32, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<64x8xf32>
  tcgen05.shift %part : !tcgen05.tmem<64x8xf32>
  ptx.ret
}
