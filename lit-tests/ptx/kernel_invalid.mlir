// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-074]: ptx.kernel: maxntid must be one to three extents of 1 or more, at most 1024 x 1024 x 64, with a product of at most 1024; found 1025
ptx.kernel @threads() attributes {maxntid = array<i32: 1025>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: reqntid must be one to three extents of 1 or more, at most 1024 x 1024 x 64, with a product of at most 1024; found 32 x 32 x 2
ptx.kernel @product() attributes {reqntid = array<i32: 32, 32, 2>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: reqntid must be one to three extents of 1 or more, at most 1024 x 1024 x 64, with a product of at most 1024; found 1 x 1 x 65
ptx.kernel @third_extent() attributes {reqntid = array<i32: 1, 1, 65>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: reqntid must be one to three extents of 1 or more, at most 1024 x 1024 x 64, with a product of at most 1024; found 0
ptx.kernel @zero_threads() attributes {reqntid = array<i32: 0>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: maxntid must be one to three extents of 1 or more, at most 1024 x 1024 x 64, with a product of at most 1024; found 1 x 1 x 1 x 1
ptx.kernel @four_extents() attributes {maxntid = array<i32: 1, 1, 1, 1>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: maxntid must be one to three extents of 1 or more, at most 1024 x 1024 x 64, with a product of at most 1024; found no extent
ptx.kernel @no_extents() attributes {maxntid = array<i32>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-075]: ptx.kernel: cluster_dims must be one to three extents of 1 or more, with a product of at most 16; found 17
ptx.kernel @cluster() attributes {cluster_dims = array<i32: 17>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-075]: ptx.kernel: cluster_dims must be one to three extents of 1 or more, with a product of at most 16; found 4 x 4 x 2
ptx.kernel @cluster_product() attributes {cluster_dims = array<i32: 4, 4, 2>} {
  ptx.ret
}

// -----

// Each wrong directive has its own message and caret.
// CHECK: :90: error[T5-PTX-074]: ptx.kernel: reqntid must be {{.*}}; found 2048
// CHECK: error[T5-PTX-075]: ptx.kernel: cluster_dims must be {{.*}}; found 17
// CHECK: error[T5-PTX-076]: ptx.kernel: registers of a thread must be 1, 2, ... 256; found 300
ptx.kernel @directives() attributes {cluster_dims = array<i32: 17>, maxnreg = 300 : i32, reqntid = array<i32: 2048>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: cluster_dims must be one to three numbers of 32 bits, such as array<i32: 128>; found array<i64: 2>
// CHECK: help: write cluster_dims = array<i32: 128>
ptx.kernel @element_type() attributes {cluster_dims = array<i64: 2>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-076]: ptx.kernel: registers of a thread must be 1, 2, ... 256; found 0
ptx.kernel @registers() attributes {maxnreg = 0 : i32} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-076]: ptx.kernel: registers of a thread must be 1, 2, ... 256; found 257
ptx.kernel @many_registers() attributes {maxnreg = 257 : i32} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-077]: ptx.kernel: CTAs of a multiprocessor must be 1, 2, ... 32; found 33
ptx.kernel @ctas() attributes {minnctapersm = 33 : i32, maxntid = array<i32: 32>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-078]: ptx.kernel: minnctapersm needs maxntid or reqntid
ptx.kernel @ctas_alone() attributes {minnctapersm = 2 : i32} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-078]: ptx.kernel: maxntid and reqntid exclude each other
ptx.kernel @both_directives() attributes {maxntid = array<i32: 32>, reqntid = array<i32: 32>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: maxnreg must be a number, such as 32 : i32; found 32 : i64
// CHECK: help: write maxnreg = 32 : i32
ptx.kernel @register_type() attributes {maxnreg = 32 : i64} {
  ptx.ret
}

// -----

// CHECK: attribute dictionary entry 'sym_name' is already passed through the operation custom assembly format
ptx.kernel @name_twice() attributes {sym_name = "other"} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-101]: ptx.kernel: end of a block of a kernel must be one block or more; found a kernel without body
"ptx.kernel"() <{sym_name = "no_body"}> ({
}) : () -> ()

// -----

// CHECK: error[T5-PTX-102]: ptx.kernel: branch to a block must be a block of its own, since the first one is where the kernel's parameters arrive; found ptx.bra to the first block of the kernel
"ptx.kernel"() <{sym_name = "to_the_first_block"}> ({
^first:
  "ptx.bra"() [^first] : () -> ()
}) : () -> ()

// -----

ptx.kernel @no_terminator(%x : i32) {
  // CHECK: error[T5-PTX-101]: end of a block of a kernel must be a terminator such as ptx.ret; found ptx.nanosleep
  ptx.nanosleep %x
}

// -----

// CHECK: error[T5-PTX-101]: end of a block of a kernel must be a terminator such as ptx.ret; found nothing
ptx.kernel @empty_block(%x : i32) {
  ptx.bra ^end
^end:
}

// -----

// CHECK: expected ':'; found ')'
ptx.kernel @no_types(%x) {
  ptx.ret
}

// -----

// CHECK: expected a name such as @kernel; found no_at_sign
ptx.kernel no_at_sign() {
  ptx.ret
}

// -----

// CHECK: expected '('; found '{'
ptx.kernel @no_parentheses {
  ptx.ret
}

// -----

// CHECK: expected '{', which begins a region of ptx.kernel; found the end of the line
ptx.kernel @no_region()

// -----

// CHECK: SSA value %x is already defined
ptx.kernel @own_names_only(%x : i32, %x : i32) {
  ptx.ret
}
