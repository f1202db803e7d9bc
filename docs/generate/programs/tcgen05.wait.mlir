ptx.kernel @example(%slot : i32, %out : i64) {
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %first = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<32x1xf32>
  %v = tcgen05.ld shape_32x32b x1 %first : !tcgen05.tmem<32x1xf32>
  tcgen05.wait ld
  ptx.st global b32 [%out], {%v}
  ptx.ret
}
