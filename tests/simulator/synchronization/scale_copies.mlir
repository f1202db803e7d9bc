// One thread multiplies twice. In between it copies other scale factors over those of the first
// product without a wait, as kernels of CUTLASS do; the manual asks for one.
//
// Mistakes are found under every schedule.
// warning T5-SIM-027
// argument a: e4m3 128x32, box 32x128 swizzle_32b
// argument b: e4m3 8x32, box 32x8 swizzle_32b
// argument scales_a: ue8m0 32x16, box 16x32 no_swizzle
// argument scales_b: ue8m0 32x16, box 16x32 no_swizzle
// argument out: f32 32x8
// result out: (a[:32] * scales_a[:, :1]) @ (b * scales_b[:8, :1]).T + (a[:32] * scales_b[:, :1]) @ (b * scales_b[:8, :1]).T

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x32xf8E4M3FN, k_major, swizzle_32b>
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!scales_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scales_b = !tcgen05.tmem<8x4xf8E8M0FNU, scale>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @scales_a_tile size 512 alignment 128
ptx.shared_memory @scales_b_tile size 512 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @scale_copies(
    %a_map : !ptx.tensor_map<128x32xu8, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x32xu8, swizzle_32b>, %scales_a_map : !ptx.tensor_map<32x16xu8>,
    %scales_b_map : !ptx.tensor_map<32x16xu8>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 5376 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %scales_a_tile = ptx.address_of @scales_a_tile
  %scales_b_tile = ptx.address_of @scales_b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c32, %out
  %leader, %elected = ptx.elect.sync %all_lanes
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %scales_a = tcgen05.slice %all[0, 8] : !all to !scales_a
  %scales_b = tcgen05.slice %all[0, 12] : !all to !scales_b
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%scales_a_tile], %scales_a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%scales_b_tile], %scales_b_map, {%c0, %c0}, [%loaded]
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    %source_a = tcgen05.descriptor %scales_a_tile : !source
    %source_b = tcgen05.descriptor %scales_b_tile : !source
    tcgen05.cp shape_32x128b warpx4 %scales_a, %source_a : !scales_a, !source
    tcgen05.cp shape_32x128b warpx4 %scales_b, %source_b : !scales_b, !source
    // mistake: two copies to the same columns [T5-SIM-014] -> tcgen05.cp shape_32x128b warpx4 %scales_b, %source_b : !scales_b, !source
    tcgen05.mma.block_scale %d, %a, %b scales %scales_a, %scales_b accumulate %false {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x8, scale_type ue8m0>} : !d, !a, !b, !scales_a, !scales_b
    // mistake: copy into the accumulator in flight [T5-SIM-014] -> %low = tcgen05.slice %all[0, 0] : !all to !scales_a tcgen05.cp shape_32x128b warpx4 %low, %source_a : !scales_a, !source
    tcgen05.cp shape_32x128b warpx4 %scales_a, %source_b : !scales_a, !source
    tcgen05.mma.block_scale %d, %a, %b scales %scales_a, %scales_b accumulate %true {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x8, scale_type ue8m0>} : !d, !a, !b, !scales_a, !scales_b
    tcgen05.commit %multiplied
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait for the products [T5-SIM-014]
  tcgen05.fence after_thread_sync
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
