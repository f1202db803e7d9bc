// RUN: not tcgen05-opt %s --disable-verify -p canonicalize 2>&1 | filecheck %s

// The pass fails on the module, which is not valid.
ptx.kernel @branch(%n : i32) {
  // CHECK: error[T5-PTX-102]: cf.br: types of the arguments of a block must be (i32); found (i32, i32)
  cf.br ^next(%n, %n : i32, i32)
^next(%a : i32):
  ptx.ret
}
