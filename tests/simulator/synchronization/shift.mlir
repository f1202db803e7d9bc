// One thread copies a matrix to tensor memory and shifts its rows down by one; a warp loads some.
//
// argument a: u32 128x8, box 4x128 no_swizzle
// argument out: u32 32x8
// result out: np.vstack([a[1:32], a[31:32]])

!source = !tcgen05.smem_descriptor<128x32xui8, k_major, no_swizzle, mn_first>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x8xi32>
!rows = !tcgen05.tmem<32x8xi32>

ptx.shared_memory @tile size 4096 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @done size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @shift(%map : !ptx.tensor_map<128x4xu32>, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 4096 : i32
  %all_lanes = arith.constant -1 : i32
  %tile = ptx.address_of @tile
  %second_half = ptx.address_of @tile + 2048
  %loaded = ptx.address_of @loaded
  %done = ptx.address_of @done
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c32, %out
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%done], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%second_half], %map, {%c4, %c0}, [%loaded]
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
    tcgen05.fence after_thread_sync
    %source = tcgen05.descriptor %tile : !source
    tcgen05.cp shape_128x256b %cells, %source : !cells, !source
    tcgen05.commit %done // step: commit of the copy [T5-SIM-005]
    ptx.mbarrier.wait [%done], %c0 // step: wait between copy and shift [T5-SIM-014]
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync between copy and shift [T5-SIM-029]
    tcgen05.shift %cells : !cells
    tcgen05.commit %done // step: commit of the shift [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%done], %c1 // step: wait between shift and load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync between shift and load [T5-SIM-029]
  %part = tcgen05.slice %cells[0, 0] : !cells to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
