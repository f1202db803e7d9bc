// RUN: not tcgen05 check %s | filecheck %s

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.4">} {
  ptx.kernel @version(%turns : f32, %out : i64) {
    // CHECK: error[T5-TARGET-042]: ptx.sin.turns: PTX version for sin and cos with .2pi on sm_100a must be 9.5 or later; found 9.4
    %a = ptx.sin.turns ftz f32 %turns
    ptx.st global f32 [%out], {%a}
    ptx.ret
  }
}
