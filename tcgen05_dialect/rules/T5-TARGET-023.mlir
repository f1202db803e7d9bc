builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.1">} {
  ptx.kernel @example(%a : i16, %p : i64) {
    %d = ptx.cvt.packed rn bf16x2 e4m3x2 %a
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%a : i16, %p : i64) {
    %d = ptx.cvt.packed rn bf16x2 e4m3x2 %a
    ptx.st global b32 [%p], {%d}
    ptx.ret
  }
}
