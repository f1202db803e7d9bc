// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @three(%a : i32) {
  // CHECK: error[T5-PTX-017]: ptx.ldmatrix: number of matrices must be 1, 2 or 4; found 3
  %d:3 = ptx.ldmatrix m8n8 [%a] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @none(%a : i32) {
  // CHECK: error[T5-PTX-017]: ptx.stmatrix: number of matrices must be 1, 2 or 4; found 0
  ptx.stmatrix m8n8 [%a], {}
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 8
ptx.kernel @alignment(%a : i32) {
  %tile = ptx.address_of @tile
  // CHECK: error[T5-PTX-083]: ptx.ldmatrix: accessed address must be aligned to 16 bytes; found 0 bytes into @tile, which is aligned to 8
  %d = ptx.ldmatrix m8n8 [%tile] -> i32
  ptx.ret
}

// -----

ptx.kernel @type(%a : i32, %v : i64) {
  // CHECK: error[T5-PTX-080]: ptx.stmatrix: values: type of an operand or a result must be i32; found i64
  ptx.stmatrix m8n8 [%a], {%v}
  ptx.ret
}

// -----

ptx.kernel @bytes(%a : i32) {
  // CHECK: error[T5-PTX-171]: ptx.ldmatrix.b8: shape m16n16
  %d:4 = ptx.ldmatrix.b8 m16n16 x4 trans b8 [%a] -> 4 x i32
  ptx.ret
}

// -----

ptx.kernel @registers(%a : i32) {
  // CHECK: error[T5-PTX-171]: ptx.ldmatrix.b8:
  %d = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> i32
  ptx.ret
}

// -----

ptx.kernel @store(%a : i32, %v : i32) {
  // CHECK: error[T5-PTX-017]: ptx.stmatrix.b8: number of matrices must be 1, 2 or 4; found 3
  ptx.stmatrix.b8 [%a], {%v, %v, %v}
  ptx.ret
}
