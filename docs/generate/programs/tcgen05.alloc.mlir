ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 256 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}
