// T5-LDST-005
// section: 9.7.16.8.1
// subject: lane of the address of ld and st
// statement: ld and st begin at the first lane that the warp can access; a shape that covers half
//     of these lanes may also begin at the first lane of the second half.
// why: The index of a warp determines the lanes that it can access; the manual leaves other lanes
//     undefined.
// fix: begin at a multiple of {warp_lanes} lanes, or of {half} if the shape covers {half} lanes

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[16, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %part : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  %part = tcgen05.slice %d[32, 0] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %part : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
