// A tile of shared memory serves two products, with A from another place each time.
//
// argument a: bf16 256x16, box 16x128 swizzle_32b
// argument b: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 32x8
// result out: (a[:32] + a[128:160]) @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @mma_reuse(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 4352 : i32
  %a_bytes = arith.constant 4096 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c32, %out
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    // step: acquire of the wait for the first tiles [T5-SIM-014] -> ptx.mbarrier.wait relaxed cta [%loaded], %c0
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the first tiles [T5-SIM-014]
    tcgen05.fence after_thread_sync
    tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied
    // step: parity of the wait before A is overwritten [T5-SIM-014] -> ptx.mbarrier.wait [%multiplied], %c1
    // step: acquire of the wait before A is overwritten [T5-SIM-014] -> ptx.mbarrier.wait relaxed cta [%multiplied], %c0
    ptx.mbarrier.wait [%multiplied], %c0 // step: wait before A is overwritten [T5-SIM-014]
    ptx.mbarrier.arrive.expect_tx [%loaded], %a_bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c128}, [%loaded]
    // step: parity of the second tile [T5-SIM-014] -> ptx.mbarrier.wait [%loaded], %c0
    // step: acquire of the wait for the second tile [T5-SIM-014] -> ptx.mbarrier.wait relaxed cta [%loaded], %c1
    ptx.mbarrier.wait [%loaded], %c1 // step: wait for the second tile [T5-SIM-014]
    tcgen05.fence after_thread_sync
    tcgen05.mma %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied // step: commit of the second product [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c1 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
