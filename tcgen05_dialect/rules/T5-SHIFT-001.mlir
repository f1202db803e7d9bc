// T5-SHIFT-001
// section: 9.7.16.9.3
// subject: lane of the address of shift
// statement: shift begins at the first lane that a warp can access.
// why: The manual leaves other lanes undefined.
// fix: align the lane to {warp_lanes}

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
