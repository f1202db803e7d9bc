builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%slot : i32, %first_lane : i32) {
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
    %part = tcgen05.slice %d[%first_lane, 0]
        : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x8xf32>
    %v:8, %max = tcgen05.ld.red shape_32x32b x8 max abs %part : !tcgen05.tmem<32x8xf32>
    tcgen05.wait ld
    ptx.ret
  }
}
