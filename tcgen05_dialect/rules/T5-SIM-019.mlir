// T5-SIM-019
// section: 9.7.16.12.1
// subject: operations that a commit tracks
// statement: A commit tracks the operations of its own thread and of its own cta_group.
// why: The barrier object would not wait for the operations of other threads.
// fix: commit in the thread that issued the operations, with the same cta_group
// shown by: run

!all = !tcgen05.tmem<128x32xi32>
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!cells = !tcgen05.tmem<128x4xi32>
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %slot = ptx.address_of @slot
  %tile = ptx.address_of @tile
  %barrier = ptx.address_of @barrier
  %lane = ptx.special_register laneid
  %mine = ptx.mad u32 %lane, %c16, %tile
  tcgen05.alloc %slot, %c32
  ptx.st "shared::cta" b32 [%mine], {%lane, %lane, %lane, %lane}
  ptx.fence.proxy.async "shared::cta"
  %copies = arith.cmpi eq, %lane, %c0 : i32
  %commits = arith.cmpi eq, %lane, %c1 : i32
  scf.if %commits {
    ptx.mbarrier.init [%barrier], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.warp.sync %all_lanes
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  %source = tcgen05.descriptor %tile : !source
  scf.if %copies {
    tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
  }
  ptx.bar.warp.sync %all_lanes
  scf.if %commits {
    tcgen05.commit %barrier
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%barrier], %c0
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}

// -----

!all = !tcgen05.tmem<128x32xi32>
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!cells = !tcgen05.tmem<128x4xi32>
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %slot = ptx.address_of @slot
  %tile = ptx.address_of @tile
  %barrier = ptx.address_of @barrier
  %lane = ptx.special_register laneid
  %mine = ptx.mad u32 %lane, %c16, %tile
  tcgen05.alloc %slot, %c32
  ptx.st "shared::cta" b32 [%mine], {%lane, %lane, %lane, %lane}
  ptx.fence.proxy.async "shared::cta"
  %commits = arith.cmpi eq, %lane, %c1 : i32
  scf.if %commits {
    ptx.mbarrier.init [%barrier], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.warp.sync %all_lanes
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  %source = tcgen05.descriptor %tile : !source
  scf.if %commits {
    tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
  }
  ptx.bar.warp.sync %all_lanes
  scf.if %commits {
    tcgen05.commit %barrier
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%barrier], %c0
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
