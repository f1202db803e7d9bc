// T5-SIM-015
// section: 9.7.16.6.5
// subject: order of accesses through different proxies
// statement: Between accesses to the same memory by the generic proxy and by the async proxy there
//     is a proxy fence.
// why: The async proxy may access memory before the writes of the threads are visible to it.
// fix: execute fence.proxy.async after the writes and before the threads synchronise
// shown by: run

!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x4xi32>
ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @copied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %tile = ptx.address_of @tile
  %copied = ptx.address_of @copied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %is_first = arith.cmpi eq, %lane, %c0 : i32
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  scf.if %is_first {
    ptx.mbarrier.init [%copied], %c1
  }
  %place = ptx.mad u32 %lane, %c16, %tile
  ptx.st "shared::cta" b32 [%place], {%lane, %lane, %lane, %lane}
  ptx.bar.sync %c0
  scf.if %is_first {
    %source = tcgen05.descriptor %tile : !source
    %cells = tcgen05.slice %all[0, 0] : !all to !cells
    tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
    tcgen05.commit %copied
    ptx.mbarrier.wait [%copied], %c0
  }
  ptx.bar.sync %c0
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}

// -----

!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x4xi32>
ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @copied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %tile = ptx.address_of @tile
  %copied = ptx.address_of @copied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %is_first = arith.cmpi eq, %lane, %c0 : i32
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  scf.if %is_first {
    ptx.mbarrier.init [%copied], %c1
  }
  %place = ptx.mad u32 %lane, %c16, %tile
  ptx.st "shared::cta" b32 [%place], {%lane, %lane, %lane, %lane}
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.sync %c0
  scf.if %is_first {
    %source = tcgen05.descriptor %tile : !source
    %cells = tcgen05.slice %all[0, 0] : !all to !cells
    tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
    tcgen05.commit %copied
    ptx.mbarrier.wait [%copied], %c0
  }
  ptx.bar.sync %c0
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
