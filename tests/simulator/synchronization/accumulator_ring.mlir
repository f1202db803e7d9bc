// One warp multiplies twice into the same accumulator; the other one loads each product before the
// next one overwrites it.
//
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x16 swizzle_32b
// argument out: f32 2x32x8
// result out: np.stack([a[32:64] @ b[:8].T, a[32:64] @ b[8:].T])

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @free size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @accumulator_ring(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<16x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c33 = arith.constant 33 : i32
  %bytes = arith.constant 4608 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %free = ptx.address_of @free
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c32
  }
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    // step: count of arrivals, one too few [T5-SIM-008] -> ptx.mbarrier.init [%free], %c31
    // step: count of arrivals, one too many [T5-SIM-005] -> ptx.mbarrier.init [%free], %c33
    ptx.mbarrier.init [%free], %c32
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first_warp {
    scf.if %is_first {
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
      ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
      ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
      ptx.mbarrier.wait [%loaded], %c0
      %a = tcgen05.descriptor %a_tile : !a
      %b_first = tcgen05.descriptor %b_tile : !b
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        %parity_before = arith.xori %i, %c1 : i32
        // step: parity of the wait for the accumulator [T5-SIM-005] -> ptx.mbarrier.wait [%free], %i
        ptx.mbarrier.wait [%free], %parity_before // step: wait for the accumulator to be loaded [T5-SIM-014]
        tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the product [T5-SIM-029]
        %b = tcgen05.tile %b_first[%i] : !b
        tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
        // mistake: a second commit [T5-SIM-022] -> tcgen05.commit %multiplied
        tcgen05.commit %multiplied // step: commit [T5-SIM-005]
      }
    }
    ptx.bar.warp.sync %all_lanes
  } else {
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      // step: parity of the wait for the product [T5-SIM-014] -> ptx.mbarrier.wait [%multiplied], %c1
      ptx.mbarrier.wait [%multiplied], %i // step: wait for the product [T5-SIM-014]
      tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
      %part = tcgen05.slice %d[32, 0] : !d to !rows
      %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
      tcgen05.wait ld // step: wait::ld before the arrival [T5-SIM-014]
      tcgen05.fence before_thread_sync // step: fence::before_thread_sync before the arrival [T5-SIM-028]
      ptx.mbarrier.arrive [%free] // step: arrival that frees the accumulator [T5-SIM-005]
      %row = ptx.mad u32 %i, %c32, %lane
      %to = ptx.mad.wide u32 %row, %c32, %out
      ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
      ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
    }
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0 // step: barrier before dealloc [T5-SIM-014]
  scf.if %is_first_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.ret
}
