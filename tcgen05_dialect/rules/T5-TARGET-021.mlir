builtin.module attributes {ptx.target = #ptx.target<"sm_110a", "9.0">} {
  ptx.kernel @example(%f : f32, %random : i32, %p : i64) {
    %d = ptx.cvt.stochastic_pair bf16x2 f32 %f, %f, %random
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%f : f32, %random : i32, %p : i64) {
    %d = ptx.cvt.stochastic_pair bf16x2 f32 %f, %f, %random
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}
