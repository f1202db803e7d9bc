// Products of one shape on one accumulator are in order; one of another shape has to wait.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x16 swizzle_32b
// argument out: f32 32x16
// result out: a[:32] @ b.T * np.array([3] * 8 + [2] * 8)

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<16x16xbf16, k_major, swizzle_32b>
!half_b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!half_d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @mma_pipelined(
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
  %true = arith.constant true
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c64, %out
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %half_d = tcgen05.slice %all[0, 0] : !all to !half_d
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
    %b = tcgen05.descriptor %b_tile : !b
    %half_b = tcgen05.descriptor %b_tile : !half_b
    tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x16>} : !d, !a, !b
    tcgen05.mma %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x16>} : !d, !a, !b
    // step: wait between shapes [T5-SIM-014] -> tcgen05.commit %multiplied
    // step: commit and wait between shapes [T5-SIM-014] -> ptx.mbarrier.arrive [%multiplied]
    tcgen05.commit %multiplied ptx.mbarrier.wait [%multiplied], %c0
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync between shapes [T5-SIM-029]
    tcgen05.mma %half_d, %a, %half_b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !half_d, !a, !half_b
    tcgen05.commit %multiplied
  }
  ptx.bar.warp.sync %all_lanes
  // step: parity of the second phase [T5-SIM-014] -> ptx.mbarrier.wait [%multiplied], %c0
  ptx.mbarrier.wait [%multiplied], %c1 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
  ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
