// A product as Triton writes it: without any tcgen05 fence, without a fence behind mbarrier.init, with
// the slot of alloc in the first bytes of a tile, and with a word that all threads write.
//
// Mistakes are found under every schedule.
// warning T5-SIM-029
// warning T5-SIM-031
// warning T5-SIM-032
// warning T5-SIM-033
// argument a: bf16 128x16, box 16x128 swizzle_32b
// argument b: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 128x8
// result out: 2 * a @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @work size 4 alignment 4

ptx.kernel @without_fences(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 4352 : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 96 : i32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %work = ptx.address_of @work
  %thread = ptx.special_register tid.x
  %first_lane = ptx.and b32 %thread, %warp_lanes
  %is_first_warp = arith.cmpi eq, %first_lane, %c0 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %to = ptx.mad.wide u32 %thread, %c32, %out
  scf.if %is_first_warp {
    tcgen05.alloc %a_tile, %c32
  }
  ptx.bar.sync %c0
  %all = tcgen05.load_address %a_tile : !all
  // step: word that all threads write, each another value [T5-SIM-014] -> ptx.st "shared::cta" b32 [%work], {%thread}
  ptx.st "shared::cta" b32 [%work], {%c2}
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
  }
  ptx.bar.sync %c0 // step: barrier behind mbarrier.init, and behind the word [T5-SIM-014]
  %twice = ptx.ld "shared::cta" b32 [%work] -> i32
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %rows = tcgen05.slice %all[%first_lane, 0] : !all to !rows
  tcgen05.st shape_32x32b x8 %rows, (%zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero) : !rows
  tcgen05.wait st // step: wait::st [T5-SIM-014]
  scf.if %is_first {
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
  }
  ptx.mbarrier.wait [%loaded], %c0
  ptx.bar.sync %c0 // step: barrier behind st [T5-SIM-014]
  scf.if %is_first {
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    scf.for %i = %c0 to %twice step %c1 : i32 {
      tcgen05.mma %d, %a, %b accumulate %true {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    }
    tcgen05.commit %multiplied
  }
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait for the product [T5-SIM-014]
  ptx.barrier.cluster.arrive relaxed aligned ptx.barrier.cluster.wait aligned // step: cluster barrier before mbarrier.inval [T5-SIM-014]
  %v:8 = tcgen05.ld shape_32x32b x8 %rows : !rows
  tcgen05.wait ld // step: wait::ld [T5-SIM-014]
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  scf.if %is_first {
    ptx.mbarrier.inval [%loaded]
    ptx.mbarrier.inval [%multiplied]
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.ret
}
