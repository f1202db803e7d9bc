// A warp of each quarter stores the metadata of a sparse A; the product follows by way of a barrier
// object at which the threads arrive without waiting themselves.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 8x32, box 32x8 swizzle_64b
// argument out: f32 128x8
// result out: a @ b.reshape(8, 8, 4)[:, :, :2].reshape(8, 16).T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x32xbf16, k_major, swizzle_64b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!metadata = !tcgen05.tmem<128x8xi4, metadata>
!cells = !tcgen05.tmem<32x2xi32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @stored size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @st_mma_sp(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x32xbf16, swizzle_64b>, %out : i64
) attributes {reqntid = array<i32: 160, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 4608 : i32
  %indices = arith.constant 1145324612 : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 96 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %stored = ptx.address_of @stored
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %first_lane = ptx.and b32 %thread, %warp_lanes
  %is_mma_warp = arith.cmpi uge, %thread, %c128 : i32
  %is_issuer = arith.cmpi eq, %thread, %c128 : i32
  scf.if %is_mma_warp {
    tcgen05.alloc %slot, %c32
  }
  scf.if %is_issuer {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%stored], %c128
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %metadata = tcgen05.slice %all[0, 8] : !all to !metadata
  scf.if %is_mma_warp {
    scf.if %is_issuer {
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
      ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
      ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
      ptx.mbarrier.wait [%loaded], %c0
      ptx.mbarrier.wait relaxed cluster [%stored], %c0 // step: wait for the metadata [T5-SIM-014]
      tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the product [T5-SIM-016]
      %a = tcgen05.descriptor %a_tile : !a
      %b = tcgen05.descriptor %b_tile : !b
      tcgen05.mma.sp %d, %a, %b metadata %metadata accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8, sparse>} : !d, !a, !b, !metadata
      tcgen05.commit %multiplied
    }
    ptx.bar.warp.sync %all_lanes
  } else {
    %cells = tcgen05.slice %all[%first_lane, 8] : !all to !cells
    tcgen05.st shape_32x32b x2 %cells, (%indices, %indices) : !cells
    tcgen05.wait st // step: wait::st before the arrival [T5-SIM-014]
    tcgen05.fence before_thread_sync // step: fence::before_thread_sync before the arrival [T5-SIM-016]
    ptx.mbarrier.arrive relaxed cluster [%stored] // step: arrival [T5-SIM-005]
    ptx.mbarrier.wait relaxed cluster [%multiplied], %c0 // step: wait for the product [T5-SIM-013]
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-016]
    %part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
    %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
    tcgen05.wait ld
    %to = ptx.mad.wide u32 %thread, %c32, %out
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_mma_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all // step: dealloc [T5-SIM-009]
  }
  ptx.ret
}
