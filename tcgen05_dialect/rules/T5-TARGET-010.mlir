builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
    %p = ptx.setp ne b32 %x, %d
    %known = ptx.constant -1868561280 : i32
    ptx.tcgen05.mma.block_scale cta_group_2 mxf4 [%d], %a, %b, %known, [%x], [%x], %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
    %p = ptx.setp ne b32 %x, %d
    %known = ptx.constant -1868561280 : i32
    ptx.tcgen05.mma.block_scale cta_group_2 mxf4 [%d], %a, %b, %known, [%x], [%x], %p
    ptx.ret
  }
}
