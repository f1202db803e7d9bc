// T5-SIM-029
// section: 9.7.16.6.4
// subject: fence after threads synchronise
// statement: A thread executes tcgen05.fence::after_thread_sync between a wait, for other threads
//     or for a commit, and later tcgen05 operations, even if the earlier operations are complete.
// why: The manual orders the later tcgen05 operations only after the fence.
// fix: execute tcgen05.fence::after_thread_sync after the wait
// practice: Triton leaves it out
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
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
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
