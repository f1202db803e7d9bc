// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @place(%a : i64) {
  // CHECK: error[T5-PTX-131]: ptx.call: registers of stores, by arguments must be 1; found 0
  ptx.call @f(%a : i64) {parameters = [".b64"], returned = [], stores = [], loads = []}
  ptx.ret
}

// -----

ptx.kernel @parameter(%a : i64) {
  // CHECK: error[T5-PTX-131]: ptx.call: stores must be the number of a declared parameter, an offset and a type; found '1+0 .b64'
  ptx.call @f(%a : i64) {parameters = [".b64"], returned = [], stores = ["1+0 .b64"], loads = []}
  ptx.ret
}

// -----

ptx.kernel @declaration(%a : i64) {
  // CHECK: error[T5-PTX-131]: ptx.call: parameter must be ".b64", for example; found 'b64 x'
  ptx.call @f(%a : i64) {parameters = ["b64 x"], returned = [], stores = ["0+0 .b64"], loads = []}
  ptx.ret
}
