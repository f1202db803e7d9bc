// Four warps store metadata and scale factors to tensor memory, and one thread multiplies: of each
// four elements of K the first two are there, and all factors are two.
//
// argument a: e4m3 128x32, box 32x128 swizzle_32b
// argument b: e4m3 8x64, box 64x8 swizzle_64b
// argument out: f32 128x8
// result out: 4 * a @ b.reshape(8, 16, 4)[:, :, :2].reshape(8, 32).T

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x64xf8E4M3FN, k_major, swizzle_64b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!metadata = !tcgen05.tmem<128x16xi4, metadata>
!scales_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scales_b = !tcgen05.tmem<8x4xf8E8M0FNU, scale>
!two = !tcgen05.tmem<32x2xi32>
!eight = !tcgen05.tmem<32x8xi32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @st_mma_sp_block_scale(
    %a_map : !ptx.tensor_map<128x32xu8, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x64xu8, swizzle_64b>, %out : i64
) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 4608 : i32
  %indices = arith.constant 1145324612 : i32
  %factors = arith.constant -2139062144 : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 96 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
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
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %metadata = tcgen05.slice %all[0, 8] : !all to !metadata
  %scales_a = tcgen05.slice %all[0, 12] : !all to !scales_a
  %scales_b = tcgen05.slice %all[0, 16] : !all to !scales_b
  %metadata_part = tcgen05.slice %all[%first_lane, 8] : !all to !two
  %scales_part = tcgen05.slice %all[%first_lane, 12] : !all to !eight
  tcgen05.st shape_32x32b x2 %metadata_part, (%indices, %indices) : !two // step: st of the metadata [T5-SIM-013]
  tcgen05.st shape_32x32b x8 %scales_part, (%factors, %factors, %factors, %factors, %factors, %factors, %factors, %factors) : !eight // step: st of the scale factors [T5-SIM-013]
  tcgen05.wait st // step: wait::st before the hand-off [T5-SIM-014]
  tcgen05.fence before_thread_sync // step: fence::before_thread_sync before the barrier [T5-SIM-028]
  ptx.bar.sync %c0 // step: barrier before the product [T5-SIM-014]
  scf.if %is_first {
    ptx.mbarrier.wait [%loaded], %c0
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the product [T5-SIM-029]
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    tcgen05.mma.sp.block_scale %d, %a, %b metadata %metadata scales %scales_a, %scales_b accumulate %false {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x8, sparse, scale_type ue8m0>} : !d, !a, !b, !metadata, !scales_a, !scales_b
    tcgen05.commit %multiplied
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load and the store [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  tcgen05.st shape_32x32b x2 %metadata_part, (%c0, %c0) : !two
  %part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  tcgen05.wait st
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  ptx.ret
}
