ptx.declaration ".func function(.param .b64 a) { ret; }"
ptx.kernel @example(%a : i64) {
  ptx.call @function(%a : i64) {parameters = [".b64"], returned = [], stores = [], loads = []}
  ptx.ret
}

// -----

ptx.declaration ".func function(.param .b64 a) { ret; }"
ptx.kernel @example(%a : i64) {
  ptx.call @function(%a : i64) {parameters = [".b64"], returned = [], stores = ["0+0 .b64"], loads = []}
  ptx.ret
}
