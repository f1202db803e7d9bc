// Messages about the phases of barrier objects.

// RUN: printf 'grid = [1]' > %t.toml
// RUN: not tcgen05 sim %s --launch %t.toml | filecheck %s --check-prefix END
// END: error[T5-SIM-022]: ptx.mbarrier.arrive: this ends phase 1 of the mbarrier @done[1] in shared memory of CTA (0, 0, 0), and nothing orders it after the wait of warp 1 of CTA (0, 0, 0) for phase 0, line 40; phase 0 was ended by ptx.mbarrier.arrive, line 37
// END-NEXT: {{^ *}}ptx.mbarrier.arrive [%done + 8]
// END-NEXT: {{^ *\^}}
// END-NEXT: help: let the waiting threads arrive at another barrier after their wait, and wait at that barrier before the next phase can end

// Warp 1 begins to wait after the end of the next phase.
// RUN: sed 's,%c0 // once,%c0 ptx.bar.sync %c0,' %s > %t.late.mlir
// RUN: not tcgen05 sim %t.late.mlir --launch %t.toml | filecheck %s --check-prefix LATE
// LATE: error[T5-SIM-022]: ptx.mbarrier.wait: this waits for phase 0 of the mbarrier @done[1] in shared memory of CTA (0, 0, 0), and nothing orders it before the end of phase 1

// Warp 1 arrives, too.
// RUN: sed 's/wait \[%done + 8\], %c0/arrive [%done + 8]/' %s > %t.early.mlir
// RUN: not tcgen05 sim %t.early.mlir --launch %t.toml | filecheck %s --check-prefix EARLY
// EARLY: error[T5-SIM-022]: ptx.mbarrier.arrive: this counts in phase 1 of the mbarrier @done[1] in shared memory of CTA (0, 0, 0), and nothing orders it after the end of phase 0
// EARLY: help: wait for the end of a phase before the first arrival or copy of the next one, directly or through another barrier

// RUN: sed 's/%count = ptx.constant 32/%count = ptx.constant 40/' %s > %t.count.mlir
// RUN: not tcgen05 sim %t.count.mlir --launch %t.toml | filecheck %s --check-prefix COUNT
// COUNT: error[T5-SIM-008]: ptx.mbarrier.arrive: phase 0 of the mbarrier @done[1] in shared memory of CTA (0, 0, 0) counts 40 arrivals: 32 came from line 37, and this operation adds 32, 24 too many
// COUNT: help: let mbarrier.init count every arrival of a phase, and wait for the end of the phase before an arrival in the next one
ptx.shared_memory @done size 16 alignment 8
ptx.kernel @two_phases() attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c32 = ptx.constant 32 : i32
  %count = ptx.constant 32 : i32
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first { ptx.mbarrier.init [%done + 8], %count }
  ptx.bar.sync %c0 // once
  scf.if %is_first_warp {
    ptx.mbarrier.arrive [%done + 8]
    ptx.mbarrier.arrive [%done + 8]
  } else {
    ptx.mbarrier.wait [%done + 8], %c0
  }
  ptx.ret
}
