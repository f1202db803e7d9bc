// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-115]: func.call: the callee must be a function that is not recursive; found @odd, which calls @even
// CHECK: help: write a loop of scf instead of the recursion
func.func private @even(%x : i32) {
  func.call @odd(%x) : (i32) -> ()
  func.return
}
func.func private @odd(%x : i32) {
  func.call @even(%x) : (i32) -> ()
  func.return
}

// -----

// CHECK: error[T5-PTX-115]: func.call: the callee must be a function that is not recursive; found @self, which calls itself
func.func private @self() {
  func.call @self() : () -> ()
  func.return
}

// -----

// CHECK: error[T5-PTX-115]: func.call: the callee must be the name of a func.func of the module; found @ad, which is nothing
// CHECK: help: did you mean @add?
func.func private @add(%x : i32) {
  func.return
}
ptx.kernel @k(%a : i32) {
  func.call @ad(%a) : (i32) -> ()
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.call: the callee must be the name of a func.func of the module; found @k, which is ptx.kernel
ptx.kernel @k(%a : i32) {
  func.call @k(%a) : (i32) -> ()
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.call: the operation around func.call must be ptx.kernel or func.func; found builtin.module
// CHECK: help: move the call into a kernel or a function
func.func private @alone() {
  func.return
}
func.call @alone() : () -> ()

// -----

// CHECK: error[T5-PTX-115]: func.call: the types of the arguments of @add must be (i32, i32); found (i32)
// CHECK: help: give the call the arguments that the function declares
// CHECK: error[T5-PTX-115]: func.call: the types of the results of @add must be (i32); found (i64)
// CHECK: help: give the call the results that the function declares
func.func private @add(%x : i32, %y : i32) -> i32 {
  func.return %x : i32
}
ptx.kernel @k(%a : i32) {
  %r = func.call @add(%a) : (i32) -> i64
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.call: the body of @declared must be one block or more; found none
// CHECK: help: write the body of @declared
func.func private @declared(%x : i32)
ptx.kernel @k(%a : i32) {
  func.call @declared(%a) : (i32) -> ()
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.func: the end of a block of a func.func must be func.return, a branch, or ptx.exit, which ends the thread; found ptx.ret
// CHECK: help: end the function with func.return
func.func private @ends() {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.func: the end of a block of a func.func must be func.return, a branch, or ptx.exit, which ends the thread; found arith.addi
// CHECK-NOT: error[T5-PTX-101]
func.func private @no_end(%x : i32) {
  %y = arith.addi %x, %x : i32
}

// -----

// CHECK: error[T5-PTX-115]: func.return: the types of the results of @wrong must be (i64); found (i32)
// CHECK: help: return values of the types that the function declares
func.func private @wrong(%x : i32) -> i64 {
  func.return %x : i32
}

// -----

// CHECK: error[T5-PTX-115]: func.return: the operation around func.return must be func.func; found ptx.kernel
// CHECK: help: end a kernel with ptx.ret, and a region of scf with scf.yield
ptx.kernel @k() {
  func.return
}

// -----

// CHECK: error[T5-PTX-115]: func.func: the operation around a func.func must be the module; found ptx.kernel
// CHECK: help: move the function out of the operation
ptx.kernel @k() {
  func.func private @inner() {
    func.return
  }
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.func: the attributes of parameters and results of a func.func must be none, because a function has no contract; found ptx.multiple_of
// CHECK: help: write the contract at the parameter of the kernel, or ptx.assume
func.func private @contract(%x : i32 {ptx.multiple_of = 8}) {
  func.return
}

// -----

// An error in a function that nothing calls.
// CHECK: error[T5-TMEM-003]: tcgen05.slice: columns of the slice must be within 0 to 31; found 40 to 40
!cells = !tcgen05.tmem<128x32xf32>
!part = !tcgen05.tmem<32x1xf32>
func.func private @column(%cells : !cells, %lane : i32) -> !part {
  %column = tcgen05.slice %cells[%lane, 40] : !cells to !part
  func.return %column : !part
}
ptx.kernel @k() {
  ptx.ret
}

// -----

// An error that follows from the argument of two calls, once and in the function.
// CHECK: mlir:{{[0-9]+}}:30: error[T5-LDST-005]: tcgen05.st: shape_32x32b needs lane 0, 32, 64 or 96; found 16
// CHECK-NEXT: tcgen05.st shape_32x32b x1 %part, (%x) : !part
// CHECK-NOT: found 16
!cells = !tcgen05.tmem<128x32xf32>
!part = !tcgen05.tmem<32x1xf32>
func.func private @store(%cells : !cells, %lane : i32, %x : f32) {
  %part = tcgen05.slice %cells[%lane, 5] : !cells to !part
  tcgen05.st shape_32x32b x1 %part, (%x) : !part
  func.return
}
ptx.kernel @k(%slot : i32, %x : f32) {
  %c16 = arith.constant 16 : i32
  %cells = tcgen05.load_address %slot : !cells
  func.call @store(%cells, %c16, %x) : (!cells, i32, f32) -> ()
  func.call @store(%cells, %c16, %x) : (!cells, i32, f32) -> ()
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-115]: func.func: the number of blocks of a function with ws.tma_load must be 1, which ends with func.return; found 2
// CHECK: help: write the control flow with scf.if and scf.for
!tile = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
func.func private @load(%map : !map, %tile : !tile) {
  %c0 = arith.constant 0 : i32
  ws.tma_load %map[%c0, %c0] to %tile
  cf.br ^next
^next:
  func.return
}
