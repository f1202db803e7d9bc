ptx.kernel @example(%table : !ptx.param_array<65536, 8>) {
  %x = ptx.ld param b32 [%table] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%table : !ptx.param_array<16384, 8>) {
  %x = ptx.ld param b32 [%table] -> i32
  ptx.ret
}
