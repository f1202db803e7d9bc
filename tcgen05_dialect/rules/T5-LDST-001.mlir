// T5-LDST-001
// section: 9.7.16.8.3
// subject: shape and repeat factor of ld and st
// statement: The repeat factor of ld and st is a power of two, limited by the registers of a
//     thread.
// why: The instruction has no encoding for other numbers.
// fix: repeat the shape a power of two times, up to {max_registers} registers for each thread

ptx.kernel @example(%address : i32) {
  %v:128 = ptx.tcgen05.ld shape_16x128b x128 [%address] -> 128 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%address : i32) {
  %v:128 = ptx.tcgen05.ld shape_16x128b x64 [%address] -> 128 x i32
  ptx.ret
}
