// Four warps store A, all twos, to tensor memory, one thread multiplies, and all warps load the product.
//
// argument b: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 128x8
// result out: np.full((128, 16), 2) @ b.T

!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!cells = !tcgen05.tmem<32x8xi32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @st_mma(%b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64)
    attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 256 : i32
  %twos = arith.constant 1073758208 : i32
  %threes = arith.constant 1077952576 : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 96 : i32
  %false = arith.constant false
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %first_lane = ptx.and b32 %thread, %warp_lanes
  %is_first_warp = arith.cmpi eq, %first_lane, %c0 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %to = ptx.mad.wide u32 %thread, %c32, %out
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c32
  }
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %a = tcgen05.slice %all[0, 16] : !all to !a
  %cells = tcgen05.slice %all[%first_lane, 16] : !all to !cells
  tcgen05.st shape_32x32b x8 %cells, (%twos, %twos, %twos, %twos, %twos, %twos, %twos, %twos) : !cells
  tcgen05.wait st // step: wait::st before the hand-off [T5-SIM-014]
  tcgen05.fence before_thread_sync // step: fence::before_thread_sync before the barrier [T5-SIM-028]
  ptx.bar.sync %c0 // step: barrier before the product [T5-SIM-014]
  scf.if %is_first {
    ptx.mbarrier.wait [%loaded], %c0
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the product [T5-SIM-029]
    %b = tcgen05.descriptor %b_tile : !b
    tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied // step: commit [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  tcgen05.st shape_32x32b x8 %cells, (%threes, %threes, %threes, %threes, %threes, %threes, %threes, %threes) : !cells
  %part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld // step: wait::ld before the hand-off to the warp that frees [T5-SIM-014]
  tcgen05.wait st // step: wait::st before the hand-off to the warp that frees [T5-SIM-014]
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0 // step: barrier before dealloc [T5-SIM-014]
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  ptx.ret
}
