// Lanes of a warp wait for a phase, and another lane of the warp ends the next one: they should meet.

// RUN: printf 'grid = [1]' > %t.toml
// RUN: not tcgen05 sim %s --launch %t.toml | filecheck %s
// CHECK: error[T5-SIM-022]: ptx.mbarrier.arrive: this ends phase 1 of the mbarrier @done in shared memory of CTA (0, 0, 0), and nothing orders it after the wait of
// CHECK: help: execute bar.warp.sync in this warp between the wait and the arrival, so that all its lanes have finished the wait
// RUN: not tcgen05 check --verify quick %s | filecheck %s --check-prefix FIX
// FIX: fix: insert `ptx.bar.warp.sync %all_lanes` before line {{[0-9]+}} (tried: the kernel then passes)

ptx.shared_memory @done size 8 alignment 8
ptx.kernel @lanes() attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %all_lanes = ptx.constant -1 : i32
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_later = arith.cmpi ne, %thread, %c0 : i32
  scf.if %is_first { ptx.mbarrier.init [%done], %c1 }
  ptx.bar.warp.sync %all_lanes
  scf.if %is_first { ptx.mbarrier.arrive [%done] }
  scf.if %is_later { ptx.mbarrier.wait [%done], %c0 }
  scf.if %is_first { ptx.mbarrier.wait [%done], %c0 ptx.mbarrier.arrive [%done] }
  ptx.ret
}
