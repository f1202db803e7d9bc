builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%p : i64) {
    %v:8 = ptx.ld global b32 [%p] -> 8 x i32
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%p : i64) {
    %v:8 = ptx.ld global b32 [%p] -> 8 x i32
    ptx.ret
  }
}
