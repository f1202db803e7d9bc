ptx.kernel @example(%n : i32) attributes {declarations = [".param .u32 n;"]} {
  ptx.ret
}

// -----

ptx.kernel @example(%n : i32) attributes {declarations = [".u32 n"]} {
  ptx.ret
}
