// Threads of two warps multiply into one accumulator, one after the other.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 32x8
// result out: 2 * a[32:64] @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @issued size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @two_issuers(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 4352 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %issued = ptx.address_of @issued
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c32, %out
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c32
  }
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%issued], %c1
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
  %a = tcgen05.descriptor %a_tile : !a
  %b = tcgen05.descriptor %b_tile : !b
  ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
  tcgen05.fence after_thread_sync
  scf.if %is_first_warp {
    scf.if %is_first {
      tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
      tcgen05.fence before_thread_sync // step: fence::before_thread_sync behind the first product [T5-SIM-016]
      ptx.mbarrier.arrive relaxed cluster [%issued] // step: arrival behind the first product [T5-SIM-005]
    }
    ptx.bar.warp.sync %all_lanes
  } else {
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      ptx.mbarrier.wait relaxed cluster [%issued], %c0 // step: wait before the second product [T5-SIM-014]
      tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the second product [T5-SIM-016]
      tcgen05.mma %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    }
    ptx.bar.warp.sync %all_lanes
    // step: commit by the thread that multiplied [T5-SIM-019] -> %is_other = arith.cmpi eq, %lane, %c1 : i32 scf.if %is_other { tcgen05.commit %multiplied }
    scf.if %elected { tcgen05.commit %multiplied }
    ptx.bar.warp.sync %all_lanes
    ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
    %part = tcgen05.slice %d[32, 0] : !d to !rows
    %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
    tcgen05.wait ld
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.ret
}
