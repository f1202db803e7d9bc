// T5-TARGET-040
// section: 9.7.14.5.14
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example(%x : i32) {
    %d:4 = ptx.mma.sync m16n8k16 row col f32 e4m3 e4m3 f32 {%x, %x}, {%x}, {%x, %x, %x, %x} -> 4 x i32
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @example(%x : i32) {
    %d:4 = ptx.mma.sync m16n8k16 row col f32 e4m3 e4m3 f32 {%x, %x}, {%x}, {%x, %x, %x, %x} -> 4 x i32
    ptx.ret
  }
}
