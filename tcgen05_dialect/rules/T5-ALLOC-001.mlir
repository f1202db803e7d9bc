// T5-ALLOC-001
// section: 9.7.16.7.1
// subject: number of columns
// statement: The number of columns of an allocation is a power of two from {allocation_unit} to
//     {columns}.
// why: Tensor memory is allocated only in such sizes. The manual leaves other numbers undefined,
//     and ptxas does not check them.
// fix: allocate a power of two of columns: {allocation_unit} to {columns}

ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 96 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}

// -----

ptx.kernel @example(%slot : i32) {
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}
