// T5-TARGET-013
// section: 9.7.16.8.3
// subject: target or version for {what}
// statement: The use of {what} needs {needs}.
// why: {others} versions lack it.
// fix: compile {where}, or do without it

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @example(%address : i32) {
    %v:3 = ptx.tcgen05.ld.red shape_32x32b x2 min u32 [%address] -> 3 x i32
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @example(%address : i32) {
    %v:3 = ptx.tcgen05.ld.red shape_32x32b x2 min u32 [%address] -> 3 x i32
    ptx.ret
  }
}
