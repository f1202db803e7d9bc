// Messages about rules that only a run shows.

// RUN: tcgen05 explain T5-SIM-023 | filecheck %s --check-prefix PAIR
// PAIR: error[T5-SIM-023]: ptx.tcgen05.alloc: CTA (0, 0, 0) may execute the operation before CTA (1, 0, 0) runs
// PAIR: help: let a barrier of the cluster come before the operation

// RUN: tcgen05 explain T5-SIM-024 | filecheck %s --check-prefix WARPGROUP
// WARPGROUP: error[T5-SIM-024]: ptx.ret: warp 1 of CTA (0, 0, 0) ends without the setmaxnreg dec 40 that warp 0 of CTA (0, 0, 0) executes, line 6

// RUN: tcgen05 explain T5-SIM-030 | filecheck %s --check-prefix LANES
// LANES: warning[T5-SIM-030]: ptx.tcgen05.alloc: lanes of warp 0 of CTA (0, 0, 0) went different ways, line 11, and nothing brings them together; many kernels rely
// LANES: help: execute bar.warp.sync behind the branch

// RUN: printf 'grid = [1]' > %t.toml
// RUN: not tcgen05 sim %s --launch %t.toml | filecheck %s
// CHECK: error[T5-SIM-008]: ptx.mbarrier.init: 32 threads of warp 0 of CTA (0, 0, 0) initialise the mbarrier @barrier in shared memory of CTA (0, 0, 0) at once
// CHECK: help: let one thread execute mbarrier.init
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @all_lanes_initialise() attributes {reqntid = array<i32: 32, 1, 1>} {
  %count = ptx.constant 32 : i32
  %barrier = ptx.address_of @barrier
  ptx.mbarrier.init [%barrier], %count
  ptx.ret
}
