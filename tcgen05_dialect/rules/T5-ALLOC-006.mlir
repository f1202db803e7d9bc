ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example(%out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  tcgen05.dealloc %d, %columns : !tcgen05.tmem<128x128xf32>
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example(%out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  tcgen05.relinquish_alloc_permit
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  tcgen05.dealloc %d, %columns : !tcgen05.tmem<128x128xf32>
  ptx.ret
}
