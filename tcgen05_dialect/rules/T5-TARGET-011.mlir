builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
    %p = ptx.setp ne b32 %x, %d
    %known = ptx.constant 4616260261676908608 : i64
    ptx.tcgen05.mma cta_group_1 f16 [%d], %known, %b, %idesc, %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%d : i32, %a : i64, %b : i64, %idesc : i32, %x : i32) {
    %p = ptx.setp ne b32 %x, %d
    %known = ptx.constant 4611756662049538112 : i64
    ptx.tcgen05.mma cta_group_1 f16 [%d], %known, %b, %idesc, %p
    ptx.ret
  }
}
