// A warp writes to shared memory, one thread copies that to tensor memory, the warp loads it.
//
// argument a: u32 32x4
// argument out: u32 32x4
// result out: a

!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x4xi32>
!rows = !tcgen05.tmem<32x4xi32>

ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @copied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @generic_cp(%a : i64, %out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %copied = ptx.address_of @copied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c16, %a
  %to = ptx.mad.wide u32 %lane, %c16, %out
  %place = ptx.mad u32 %lane, %c16, %tile
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%copied], %c1 // step: mbarrier.init [T5-SIM-008]
    ptx.fence.mbarrier_init
  }
  %x:4 = ptx.ld global b32 [%from] -> 4 x i32
  ptx.st "shared::cta" b32 [%place], {%x#0, %x#1, %x#2, %x#3}
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the copy [T5-SIM-014]
  scf.if %elected {
    %source = tcgen05.descriptor %tile : !source
    tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
    tcgen05.commit %copied // step: commit [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  // step: parity of the wait [T5-SIM-014] -> ptx.mbarrier.wait [%copied], %c1
  ptx.mbarrier.wait [%copied], %c0 // step: wait for the copy [T5-SIM-014]
  // mistake: a second wait for a phase that never ends [T5-SIM-005] -> ptx.mbarrier.wait [%copied], %c1
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %cells[0, 0] : !cells to !rows
  %v:4 = tcgen05.ld shape_32x32b x4 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
