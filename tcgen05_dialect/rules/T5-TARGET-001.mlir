// T5-TARGET-001
// section: 9.7.16.7.1
// subject: target of a tcgen05 program
// statement: tcgen05 instructions need an architecture-specific (a) or family-specific (f) target
//     that has them.
// why: ptxas refuses them for other targets.
// fix: choose an architecture-specific (a) or family-specific (f) target that has tcgen05

builtin.module attributes {ptx.target = #ptx.target<"sm_90a", "8.6">} {
  ptx.kernel @example() {
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @example() {
    ptx.ret
  }
}
