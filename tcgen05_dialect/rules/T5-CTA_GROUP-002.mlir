// T5-CTA_GROUP-002
// section: 9.7.16.5
// subject: cta_group of all instructions of a kernel
// statement: All tcgen05 instructions of a kernel have the same cta_group.
// why: The manual leaves a mixture undefined: tensor memory allocated by a pair belongs to both
//     CTAs.
// fix: give all tcgen05 instructions of the kernel the same cta_group

ptx.kernel @example(%slot : i32, %columns : i32, %barrier : i32) {
  tcgen05.alloc cta_group_2 %slot, %columns
  tcgen05.commit %barrier
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32, %barrier : i32) {
  tcgen05.alloc cta_group_2 %slot, %columns
  tcgen05.commit cta_group_2 %barrier
  ptx.ret
}
