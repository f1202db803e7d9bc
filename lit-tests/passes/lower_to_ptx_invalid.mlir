// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @memory(%n : i32) {
  // CHECK: error[T5-PTX-104]: memref.alloc: the operation has no lowering to PTX here; expected operations of ptx, tcgen05, scf and cf, and scalar operations of arith and math
  %m = memref.alloc() : memref<4xf32>
  ptx.ret
}

// -----

ptx.kernel @parallel() {
  %c = arith.constant 1 : index
  // CHECK: error[T5-PTX-104]: scf.parallel: the operation has no lowering to PTX here; expected scf.for, scf.if, scf.while, scf.index_switch
  "scf.parallel"(%c, %c, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i : index):
    scf.reduce
  }) : (index, index, index) -> ()
  ptx.ret
}

// -----

// What folding makes known is verified again.
ptx.kernel @folded() {
  %c8 = arith.constant 8 : i32
  %barrier = arith.addi %c8, %c8 : i32
  // CHECK: error[T5-PTX-060]: ptx.bar.sync: number of a barrier must be 0, 1, ... 15; found 16
  ptx.bar.sync %barrier
  ptx.ret
}
