ptx.kernel @example(%slot : i32) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %a = tcgen05.slice %all[32, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x8xf32>
  tcgen05.shift %a : !tcgen05.tmem<32x8xf32>
  ptx.ret
}
