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
