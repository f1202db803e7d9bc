// T5-PTX-131
// section: 7.1, 9.7.12.4
// subject: call of a function
// statement: A call declares its parameters, and stores each argument and loads each result at a
//     place in one of them.
// why: ptxas refuses the call, or an argument would have no place.
// fix: give each register of the call a place in a declared parameter

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
