// One thread brings A and B by TMA and multiplies them; its warp loads 32 rows of the product.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 32x8
// result out: a[:32] @ b.T

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

ptx.kernel @mma_ld(%a_map : !ptx.tensor_map, %b_map : !ptx.tensor_map, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c32 = ptx.constant 32 : i32
  %bytes = ptx.constant 4352 : i32
  %fewer = ptx.constant 4096 : i32
  %more = ptx.constant 4608 : i32
  %all_lanes = ptx.constant -1 : i32
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
    ptx.mbarrier.init [%loaded], %c1 // step: mbarrier.init for the loads [T5-SIM-008]
    ptx.mbarrier.init [%multiplied], %c1 // step: mbarrier.init for the commit [T5-SIM-008]
    ptx.fence.mbarrier_init ptx.fence.proxy.async "shared::cta" // step: fence behind mbarrier.init [T5-SIM-033]
    // step: bytes expected, fewer than come [T5-SIM-014] -> ptx.mbarrier.arrive.expect_tx [%loaded], %fewer
    // step: bytes expected, more than come [T5-SIM-005] -> ptx.mbarrier.arrive.expect_tx [%loaded], %more
    // step: arrival that expects bytes [T5-SIM-005]
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded] // step: load of A [T5-SIM-005]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    // step: parity of the wait for the loads [T5-SIM-014] -> ptx.mbarrier.wait [%loaded], %c1
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
    tcgen05.fence after_thread_sync
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    // step: enable-input-d of the first product [T5-SIM-013] -> tcgen05.mma %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied // step: commit [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  // step: parity of the wait for the commit [T5-SIM-014] -> ptx.mbarrier.wait [%multiplied], %c1
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait for the commit [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
