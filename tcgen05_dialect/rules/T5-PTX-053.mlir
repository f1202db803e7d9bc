ptx.kernel @example(%a : i32, %from : i64) {
  ptx.cp.async cg [%a], [%from], 8
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32, %from : i64) {
  ptx.cp.async ca [%a], [%from], 8
  ptx.ret
}
