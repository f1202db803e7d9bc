// T5-ALLOC-006
// section: 9.7.16.7.1
// subject: permit to allocate
// statement: If two CTAs of the kernel can run on one multiprocessor, and it has columns for both,
//     each CTA relinquishes the permit to allocate after its last alloc.
// why: An alloc of the other CTA waits for the permit, although columns are free. It waits until
//     the first CTA ends, or forever if the first CTA waits for the other one.
// fix: execute tcgen05.relinquish_alloc_permit after the last alloc
// practice: kernels with one CTA on each multiprocessor may hold the permit until they end

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
