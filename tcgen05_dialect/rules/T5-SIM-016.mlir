// T5-SIM-016
// section: 9.7.16.6.4
// subject: order of tcgen05 operations of different threads
// statement: tcgen05 operations of different threads are ordered by tcgen05 fences around the
//     synchronisation of the threads.
// why: A barrier alone does not order an operation that is not complete, and a relaxed barrier
//     orders no tcgen05 operations. The later operation may execute first.
// fix: execute tcgen05.fence::before_thread_sync before the threads synchronise, and
//     tcgen05.fence::after_thread_sync after it
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
  }
  ptx.bar.sync %c0
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  scf.if %is_first_warp {
    ptx.tcgen05.st shape_32x32b x1 [%base], {%thread}
    tcgen05.wait st
  }
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
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
  }
  ptx.bar.sync %c0
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  scf.if %is_first_warp {
    ptx.tcgen05.st shape_32x32b x1 [%base], {%thread}
    tcgen05.wait st
  }
  tcgen05.fence before_thread_sync
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
  tcgen05.fence after_thread_sync
  %is_last_warp = arith.cmpi uge, %thread, %c128 : i32
  scf.if %is_last_warp {
    %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
    tcgen05.wait ld
    ptx.tcgen05.dealloc cta_group_1 %base, %c32
  }
  ptx.ret
}
