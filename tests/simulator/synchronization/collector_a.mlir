// Two products of one A with two Bs, the second of which finds A in the collector buffer.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x16 swizzle_32b
// argument out: f32 32x16
// result out: a[:32] @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @collector_a(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<16x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %bytes = arith.constant 4608 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c64, %out
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d0 = tcgen05.slice %all[0, 0] : !all to !d
  %d1 = tcgen05.slice %all[0, 8] : !all to !d
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    ptx.mbarrier.wait [%loaded], %c0
    tcgen05.fence after_thread_sync
    %a = tcgen05.descriptor %a_tile : !a
    %b0 = tcgen05.descriptor %b_tile : !b
    %b1 = tcgen05.tile %b0[%c1] : !b
    // step: fill of the buffer [T5-SIM-021] -> tcgen05.mma %d0, %a, %b0 accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.mma collector fill %d0, %a, %b0 accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.mma collector lastuse %d1, %a, %b1 accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    // mistake: a use behind the last one [T5-SIM-021] -> tcgen05.mma collector use %d1, %a, %b1 accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync
  %part = tcgen05.slice %all[0, 0] : !all to !rows
  %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
  ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
