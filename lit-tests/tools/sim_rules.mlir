// Messages about rules that only a run shows.

// RUN: tcgen05 explain T5-SIM-023 | filecheck %s --check-prefix PAIR
// PAIR: error[T5-SIM-023]: tcgen05.alloc: CTA (0, 0, 0) gives 32 columns, and CTA (1, 0, 0) 64, line 10
// PAIR: help: execute alloc, dealloc and relinquish_alloc_permit in both CTAs, with a cluster barrier

// RUN: tcgen05 explain T5-SIM-034 | filecheck %s --check-prefix START
// START: warning[T5-SIM-034]: tcgen05.alloc: CTA (0, 0, 0) may execute the operation before CTA (1, 0, 0) runs{{$}}
// START: help: execute a cluster barrier before alloc

// RUN: tcgen05 explain T5-SIM-035 | filecheck %s --check-prefix USES
// USES: warning[T5-SIM-035]: tcgen05.dealloc: %all[0, 0] in tensor memory of CTA (1, 0, 0) was written by tcgen05.st of warp 0 of CTA (1, 0, 0), line 15, and warp 0 of CTA (1, 0, 0) and warp 0 of CTA (0, 0, 0) have not synchronised since{{$}}
// USES: help: execute a cluster barrier, or wait for an arrival of the peer, before dealloc

// RUN: tcgen05 explain T5-SIM-024 | filecheck %s --check-prefix WARPGROUP
// WARPGROUP: error[T5-SIM-024]: ptx.ret: warp 1 of CTA (0, 0, 0) ends without the setmaxnreg dec 40 that warp 0 of CTA (0, 0, 0) executes, line 6

// RUN: tcgen05 explain T5-SIM-052 | filecheck %s --check-prefix POOL
// POOL: error[T5-SIM-052]: ptx.setmaxnreg: no thread and no operation can make progress
// POOL-NEXT: the register pool in CTA (0, 0, 0), but only 512 registers are free, and a warp takes 1536
// POOL-NEXT: waiting: ptx.setmaxnreg of warp 3, line 6
// POOL: help: lower the number of registers in setmaxnreg.inc, or give up more with setmaxnreg.dec in other warps

// RUN: tcgen05 explain T5-SIM-053 | filecheck %s --check-prefix AGAIN
// AGAIN: error[T5-SIM-053]: ptx.clusterlaunchcontrol.try_cancel: ptx.ld of warp 0 of CTA (0, 0, 0), line 17 has read the response to a request that failed
// AGAIN: help: leave the loop of the requests when is_canceled does not hold

// RUN: tcgen05 explain T5-SIM-054 | filecheck %s --check-prefix FAILED
// FAILED: error[T5-SIM-054]: ptx.cond_bra: the condition in lane 0 of warp 0 of CTA (0, 0, 0) is computed from the coordinates in a response to a request that failed
// FAILED: help: test is_canceled before the coordinates are used

// RUN: tcgen05 explain T5-SIM-030 | filecheck %s --check-prefix LANES
// LANES: warning[T5-SIM-030]: tcgen05.alloc: lanes of warp 0 of CTA (0, 0, 0) took different branches, line 11, and nothing makes them converge; many kernels rely
// LANES: help: execute bar.warp.sync after the branch

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
