// T5-SIM-028
// section: 9.7.16.6.4
// subject: fence before threads synchronise
// statement: A thread executes tcgen05.fence::before_thread_sync between its tcgen05 operations and
//     the synchronisation with another thread, even if the operations are complete.
// why: The manual orders the later tcgen05 operations of the other thread only after both fences.
// fix: execute tcgen05.fence::before_thread_sync before the threads synchronise
// practice: CUTLASS, CuTe and Triton leave it out after tcgen05.wait
// shown by: run

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 160, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c32
    %base = ptx.ld "shared::cta" b32 [%slot] -> i32
    ptx.tcgen05.st shape_32x32b x1 [%base], {%thread}
    tcgen05.wait st
  }
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %is_last_warp = arith.cmpi uge, %thread, %c128 : i32
  scf.if %is_last_warp {
    %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
    tcgen05.wait ld
    ptx.tcgen05.dealloc cta_group_1 %base, %c32
  }
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 160, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c32
    %base = ptx.ld "shared::cta" b32 [%slot] -> i32
    ptx.tcgen05.st shape_32x32b x1 [%base], {%thread}
    tcgen05.wait st
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %is_last_warp = arith.cmpi uge, %thread, %c128 : i32
  scf.if %is_last_warp {
    %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
    tcgen05.wait ld
    ptx.tcgen05.dealloc cta_group_1 %base, %c32
  }
  ptx.ret
}
