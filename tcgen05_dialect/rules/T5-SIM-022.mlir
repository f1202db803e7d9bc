// T5-SIM-022
// section: 9.7.13.15
// subject: order of the phases of a barrier object
// statement: The arrivals and bytes of a phase are ordered after the end of the previous phase, and
//     the end of a phase is ordered after all waits for the previous phase. The phase cannot end
//     before its bytes are expected.
// why: A wait gives only the parity of its phase: a late thread would wait for another phase, or
//     forever. An arrival gives no phase: an early arrival would count in the wrong phase.
// fix: wait for the end of a phase before the first arrival or copy of the next one, directly or
//     through another barrier
// shown by: run

ptx.shared_memory @done size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%done], %c32
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    ptx.mbarrier.arrive [%done]
    ptx.mbarrier.arrive [%done]
  } else {
    ptx.mbarrier.wait [%done], %c0
    ptx.mbarrier.wait [%done], %c1
  }
  ptx.ret
}

// -----

ptx.shared_memory @done size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%done], %c32
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    ptx.mbarrier.arrive [%done]
    ptx.bar.sync %c0
    ptx.mbarrier.arrive [%done]
  } else {
    ptx.mbarrier.wait [%done], %c0
    ptx.bar.sync %c0
    ptx.mbarrier.wait [%done], %c1
  }
  ptx.ret
}
