// T5-ALLOC-005
// section: 9.7.16.7.1
// subject: slot of alloc
// statement: alloc writes the address to an aligned word of shared memory.
// why: A store outside the variable would overwrite another one; on a GPU a misaligned store traps.
// fix: give alloc {address_bytes} bytes of shared memory, at a multiple of {address_bytes}

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
