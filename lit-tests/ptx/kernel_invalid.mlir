// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-074]: ptx.kernel: threads of a CTA, maxntid: found 1025; legal: one to three extents from 1 to 1024, 1024, 64, 1024 in all
ptx.kernel @threads() attributes {maxntid = array<i32: 1025>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: threads of a CTA, reqntid: found 32 x 32 x 2; legal: one to three extents from 1 to 1024, 1024, 64, 1024 in all
ptx.kernel @product() attributes {reqntid = array<i32: 32, 32, 2>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: threads of a CTA, reqntid: found 1 x 1 x 65; legal: one to three extents from 1 to 1024, 1024, 64, 1024 in all
ptx.kernel @third_extent() attributes {reqntid = array<i32: 1, 1, 65>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: threads of a CTA, reqntid: found 0; legal: one to three extents from 1 to 1024, 1024, 64, 1024 in all
ptx.kernel @zero_threads() attributes {reqntid = array<i32: 0>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: threads of a CTA, maxntid: found 1 x 1 x 1 x 1; legal: one to three extents from 1 to 1024, 1024, 64, 1024 in all
ptx.kernel @four_extents() attributes {maxntid = array<i32: 1, 1, 1, 1>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-074]: ptx.kernel: threads of a CTA, maxntid: found ; legal: one to three extents from 1 to 1024, 1024, 64, 1024 in all
ptx.kernel @no_extents() attributes {maxntid = array<i32>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-075]: ptx.kernel: CTAs of a cluster, cluster_dims: found 17; legal: one to three extents from 1 to 16, 16, 16, 16 in all
ptx.kernel @cluster() attributes {cluster_dims = array<i32: 17>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-075]: ptx.kernel: CTAs of a cluster, cluster_dims: found 4 x 4 x 2; legal: one to three extents from 1 to 16, 16, 16, 16 in all
ptx.kernel @cluster_product() attributes {cluster_dims = array<i32: 4, 4, 2>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: cluster_dims: found array<i64: 2>; legal: one to three numbers of 32 bits, such as array<i32: 128, 1, 1>
ptx.kernel @element_type() attributes {cluster_dims = array<i64: 2>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-076]: ptx.kernel: registers of a thread: found 0; legal: 1, 2, ... 255
ptx.kernel @registers() attributes {maxnreg = 0 : i32} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-076]: ptx.kernel: registers of a thread: found 256; legal: 1, 2, ... 255
ptx.kernel @many_registers() attributes {maxnreg = 256 : i32} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-077]: ptx.kernel: CTAs of a multiprocessor: found 33; legal: 1, 2, ... 32
ptx.kernel @ctas() attributes {minnctapersm = 33 : i32, maxntid = array<i32: 32>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-078]: ptx.kernel: directives of a kernel: found minnctapersm alone; legal: with maxntid or reqntid
ptx.kernel @ctas_alone() attributes {minnctapersm = 2 : i32} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-078]: ptx.kernel: directives of a kernel: found maxntid and reqntid; legal: one of them
ptx.kernel @both_directives() attributes {maxntid = array<i32: 32>, reqntid = array<i32: 32>} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: maxnreg: found 32 : i64; legal: a number such as 2 : i32
ptx.kernel @register_type() attributes {maxnreg = 32 : i64} {
  ptx.ret
}

// -----

// CHECK: Attribute dictionary entry 'sym_name' is already passed through the operation custom assembly format.
ptx.kernel @name_twice() attributes {sym_name = "other"} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-101]: ptx.kernel: end of a block of a kernel: found a kernel without body; legal: one block or more
"ptx.kernel"() <{sym_name = "no_body"}> ({
}) : () -> ()

// -----

// CHECK: error[T5-PTX-102]: ptx.kernel: branch to a block: found ptx.bra to the first block of the kernel; legal: a block of its own, since the first one is where the kernel's parameters arrive
"ptx.kernel"() <{sym_name = "to_the_first_block"}> ({
^first:
  "ptx.bra"() [^first] : () -> ()
}) : () -> ()

// -----

ptx.kernel @no_terminator(%x : i32) {
  // CHECK: end of a block of a kernel: found ptx.nanosleep; legal: a terminator such as ptx.ret [T5-PTX-101]
  ptx.nanosleep %x
}

// -----

// CHECK: end of a block of a kernel: found nothing; legal: a terminator such as ptx.ret [T5-PTX-101]
ptx.kernel @empty_block(%x : i32) {
  ptx.bra ^end
^end:
}

// -----

// CHECK: Expected ':' after block argument name!
ptx.kernel @no_types(%x) {
  ptx.ret
}

// -----

// CHECK: expect symbol name
ptx.kernel no_at_sign() {
  ptx.ret
}

// -----

// CHECK: '(' expected
ptx.kernel @no_parentheses {
  ptx.ret
}

// -----

// CHECK: Expected '{', which begins a region of ptx.kernel
ptx.kernel @no_region()

// -----

// CHECK: SSA value %x is already defined
ptx.kernel @own_names_only(%x : i32, %x : i32) {
  ptx.ret
}
