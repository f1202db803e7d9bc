// Weight-stationary products, of which the second one finds B in a collector buffer.
//
// argument a: bf16 64x16, box 16x64 swizzle_32b
// argument b: bf16 64x16, box 16x64 swizzle_32b
// argument out: f32 2x32x16
// result out: np.stack([a[:32] @ b[:16].T, a[32:] @ b[:16].T])

!a = !tcgen05.smem_descriptor<32x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<32x64xf32, layout_G>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tile size 2048 alignment 1024
ptx.shared_memory @b_tile size 2048 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @mma_ws(
    %a_map : !ptx.tensor_map<64x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<64x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %bytes = arith.constant 4096 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d0 = tcgen05.slice %all[0, 0] : !all to !d
  %d1 = tcgen05.slice %all[0, 16] : !all to !d
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
    tcgen05.fence after_thread_sync
    %a0 = tcgen05.descriptor %a_tile : !a
    %a1 = tcgen05.tile %a0[%c1] : !a
    %b = tcgen05.descriptor %b_tile : !b
    // step: buffer that is filled [T5-SIM-021] -> tcgen05.mma.ws collector b1 discard %d0, %a0, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !a, !b
    // step: buffer that is used [T5-SIM-021] -> tcgen05.mma.ws collector b0 fill %d0, %a0, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !a, !b
    tcgen05.mma.ws collector b1 fill %d0, %a0, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !a, !b
    // step: last product [T5-SIM-013]
    tcgen05.mma.ws collector b1 lastuse %d1, %a1, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !a, !b
    // mistake: use behind the last use [T5-SIM-021] -> tcgen05.mma.ws collector b1 use %d1, %a1, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 32x64>} : !d, !a, !b
    tcgen05.commit %multiplied
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    %column = arith.muli %i, %c16 : i32
    %part = tcgen05.slice %all[0, %column] : !all to !rows
    %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
    tcgen05.wait ld
    %row = ptx.mad u32 %i, %c32, %lane
    %to = ptx.mad.wide u32 %row, %c64, %out
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
    ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
    ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  }
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
