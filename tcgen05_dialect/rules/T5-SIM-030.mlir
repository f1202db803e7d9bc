// T5-SIM-030
// section: 9.7.16.6.2
// subject: lanes that an instruction brings together
// statement: Lanes that took different branches meet at bar.warp.sync, or at another instruction
//     for which they wait, before the warp executes an aligned tcgen05 instruction or setmaxnreg.
// why: The manual promises no reconvergence where branches join: the lanes may reach the
//     instruction one after the other.
// fix: execute bar.warp.sync after the branch
// practice: many kernels rely on lanes reconverging where the branches join
// shown by: run

!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @barrier size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %count = arith.constant 1 : i32
  %columns = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %barrier = ptx.address_of @barrier
  %slot = ptx.address_of @slot
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%barrier], %count
  }
  tcgen05.alloc %slot, %columns
  %all = tcgen05.load_address %slot : !all
  tcgen05.dealloc %all, %columns : !all
  ptx.ret
}

// -----

!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @barrier size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %count = arith.constant 1 : i32
  %columns = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %barrier = ptx.address_of @barrier
  %slot = ptx.address_of @slot
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%barrier], %count
  }
  ptx.bar.warp.sync %all_lanes
  tcgen05.alloc %slot, %columns
  %all = tcgen05.load_address %slot : !all
  tcgen05.dealloc %all, %columns : !all
  ptx.ret
}
