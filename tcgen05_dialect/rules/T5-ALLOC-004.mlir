// T5-ALLOC-004
// section: 9.7.16.7.1
// subject: argument of dealloc
// statement: dealloc frees one whole allocation: its operands are the address and the number of
//     columns of that allocation.
// why: The manual leaves other addresses and numbers undefined. Columns may stay allocated, so that
//     the next alloc blocks, or columns of another matrix may be freed.
// fix: pass dealloc the address that alloc wrote and the number of columns that alloc allocated

ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 32 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  tcgen05.dealloc %d, %columns : !tcgen05.tmem<128x64xf32>
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 64 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  tcgen05.dealloc %d, %columns : !tcgen05.tmem<128x64xf32>
  ptx.ret
}
