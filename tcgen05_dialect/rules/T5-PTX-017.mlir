ptx.kernel @example(%a : i32, %v : i32) {
  ptx.stmatrix m8n8 [%a], {%v, %v, %v}
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32, %v : i32) {
  ptx.stmatrix m8n8 [%a], {%v, %v, %v, %v}
  ptx.ret
}
