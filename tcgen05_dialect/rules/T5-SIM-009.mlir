// T5-SIM-009
// section: 9.7.16.7.1
// subject: use of allocated tensor memory
// statement: Tensor memory is allocated before its use, and freed once, before the kernel ends.
// why: Columns that are not freed stay allocated; the next kernel would wait for them forever.
// fix: allocate before use, and free each allocation once, before the kernel ends
// shown by: run

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  tcgen05.alloc %slot, %columns
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  tcgen05.alloc %slot, %columns
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  tcgen05.dealloc %all, %columns : !tcgen05.tmem<128x32xf32>
  ptx.ret
}
