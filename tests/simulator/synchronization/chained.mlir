// Two products: four warps make the A of the second out of the first, in tensor memory.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x16 swizzle_32b
// argument c: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 128x8
// result out: bf16(a @ b.T) @ c.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<16x16xbf16, k_major, swizzle_32b>
!c = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!s = !tcgen05.tmem<128x16xf32>
!p = !tcgen05.tmem<128x16xbf16, a>
!d = !tcgen05.tmem<128x8xf32>
!s_rows = !tcgen05.tmem<32x16xf32>
!p_rows = !tcgen05.tmem<32x8xi32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 512 alignment 1024
ptx.shared_memory @c_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @converted size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @chained(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<16x16xbf16, swizzle_32b>,
    %c_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 4864 : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 96 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %c_tile = ptx.address_of @c_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %converted = ptx.address_of @converted
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
    // step: count of arrivals, fewer than arrive [T5-SIM-013] -> ptx.mbarrier.init [%converted], %c64
    ptx.mbarrier.init [%converted], %c128
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%c_tile], %c_map, {%c0, %c0}, [%loaded]
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %s = tcgen05.slice %all[0, 0] : !all to !s
  %p = tcgen05.slice %all[0, 16] : !all to !p
  %d = tcgen05.slice %all[0, 24] : !all to !d
  scf.if %is_first {
    ptx.mbarrier.wait [%loaded], %c0
    tcgen05.fence after_thread_sync
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    tcgen05.mma %s, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x16>} : !s, !a, !b
    tcgen05.commit %multiplied // step: commit of the first product [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait relaxed cluster [%multiplied], %c0 // step: wait for the first product [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the first load [T5-SIM-016]
  %s_rows = tcgen05.slice %s[%first_lane, 0] : !s to !s_rows
  %v:16 = tcgen05.ld shape_32x32b x16 %s_rows : !s_rows
  tcgen05.wait ld
  %w0 = ptx.cvt.pack rn bf16x2 f32 %v#1, %v#0
  %w1 = ptx.cvt.pack rn bf16x2 f32 %v#3, %v#2
  %w2 = ptx.cvt.pack rn bf16x2 f32 %v#5, %v#4
  %w3 = ptx.cvt.pack rn bf16x2 f32 %v#7, %v#6
  %w4 = ptx.cvt.pack rn bf16x2 f32 %v#9, %v#8
  %w5 = ptx.cvt.pack rn bf16x2 f32 %v#11, %v#10
  %w6 = ptx.cvt.pack rn bf16x2 f32 %v#13, %v#12
  %w7 = ptx.cvt.pack rn bf16x2 f32 %v#15, %v#14
  %p_rows = tcgen05.slice %all[%first_lane, 16] : !all to !p_rows
  tcgen05.st shape_32x32b x8 %p_rows, (%w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7) : !p_rows
  tcgen05.wait st // step: wait::st before the hand-off [T5-SIM-014]
  tcgen05.fence before_thread_sync // step: fence::before_thread_sync before the arrival [T5-SIM-016]
  ptx.mbarrier.arrive relaxed cluster [%converted] // step: arrival of those that convert [T5-SIM-005]
  scf.if %is_first {
    ptx.mbarrier.wait relaxed cluster [%converted], %c0 // step: wait for those that convert [T5-SIM-013]
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the second product [T5-SIM-016]
    %c = tcgen05.descriptor %c_tile : !c
    tcgen05.mma %d, %p, %c accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !p, !c
    tcgen05.commit %multiplied // step: commit of the second product [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c1 // step: wait for the second product [T5-SIM-013]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the second load [T5-SIM-029]
  %rows = tcgen05.slice %d[%first_lane, 0] : !d to !rows
  %x:8 = tcgen05.ld shape_32x32b x8 %rows : !rows
  tcgen05.wait ld
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0 // step: barrier before dealloc [T5-SIM-014]
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.st global b32 [%to], {%x#0, %x#1, %x#2, %x#3}
  ptx.st global b32 [%to + 16], {%x#4, %x#5, %x#6, %x#7}
  ptx.ret
}
