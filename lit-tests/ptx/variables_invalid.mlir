// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-130]: ptx.variable: variable in memory must be in a kernel; found one in local
ptx.variable "local" @depot size 32 alignment 8

// -----

// CHECK: error[T5-PTX-130]: ptx.variable: number of initial bytes must be at most 1; found 2
ptx.variable "global" @x size 1 alignment 1 {bytes = array<i8: 1, 2>}

// -----

// CHECK: error[T5-PTX-130]: ptx.variable: the variable must be a size; found no size
ptx.variable "global" @x alignment 1

// -----

// CHECK: error[T5-PTX-130]: ptx.variable: linking directive must be .common, .extern, .visible or .weak; found .private
ptx.variable "global" @x size 4 alignment 1 {linking = ".private"}

// -----

// CHECK: error[T5-PTX-130]: ptx.variable: place of an initial address must be a multiple of 8 among the initial bytes; found 4
ptx.variable "global" @x size 16 alignment 8 {bytes = array<i8: 1>, addresses = [#ptx.symbol_address<4, @x, 0>]}

// -----

ptx.kernel @unknown() {
  // CHECK: error[T5-PTX-108]: ptx.variable_address: variable must be that of a declared variable; found @nothing, which is nothing
  %a = ptx.variable_address @nothing : i64
  ptx.ret
}
