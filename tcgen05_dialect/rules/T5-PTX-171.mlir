ptx.kernel @example(%a : i32) {
  %d = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32) {
  %d:2 = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> 2 x i32
  ptx.ret
}
