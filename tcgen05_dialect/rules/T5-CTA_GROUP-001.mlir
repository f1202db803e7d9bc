// T5-CTA_GROUP-001
// section: 9.7.16.5
// subject: number of CTAs
// statement: An instruction works for one CTA or for the two CTAs of a pair.
// why: There are no larger groups.
// fix: use one CTA, or both of a CTA pair

ptx.kernel @example(%slot : i32, %columns : i32) {
  tcgen05.alloc %slot, %columns {cta_group = 3 : i32}
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32, %columns : i32) {
  tcgen05.alloc cta_group_2 %slot, %columns
  ptx.ret
}
