ptx.shared_memory @slot size 4 alignment 2
ptx.kernel @example() {
  %slot = ptx.address_of @slot
  %columns = arith.constant 64 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() {
  %slot = ptx.address_of @slot
  %columns = arith.constant 64 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}
