builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.shared_memory @buffer size 65536 alignment 16
  ptx.kernel @example(%v : i32) {
    %address = ptx.address_of @buffer
    ptx.st shared b32 [%address], {%v}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.shared_memory @buffer alignment 16
  ptx.kernel @example(%v : i32) {
    %address = ptx.address_of @buffer
    ptx.st shared b32 [%address], {%v}
    ptx.ret
  }
}
