// A pair of CTAs multiplies: each brings its halves of A and B, and loads its half of the product.
//
// argument a: bf16 256x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x8 swizzle_32b
// argument out: f32 2x32x16
// result out: np.stack([a[:32] @ b.T, a[128:160] @ b.T])

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_mma(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 8704 : i32
  %half_bytes = arith.constant 4352 : i32
  %all_lanes = arith.constant -1 : i32
  %both = arith.constant 3 : i16
  %only_first = arith.constant 1 : i16
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %first_row = arith.muli %rank, %c128 : i32
  %first_column = arith.muli %rank, %c8 : i32
  %row = ptx.mad u32 %rank, %c32, %lane
  %to = ptx.mad.wide u32 %row, %c64, %out
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init // step: fence behind mbarrier.init [T5-SIM-017]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.barrier.cluster.arrive relaxed aligned ptx.barrier.cluster.wait aligned // step: cluster barrier before the first use of the peer [T5-SIM-017]
  tcgen05.alloc cta_group_2 %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  // The leader's barrier counts what comes to both CTAs.
  %leaders_loaded = ptx.mapa %loaded, %c0
  scf.if %elected {
    scf.if %is_leader {
      // step: bytes expected, of one CTA only [T5-SIM-014] -> ptx.mbarrier.arrive.expect_tx [%loaded], %half_bytes
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    }
    ptx.cp.async.bulk.tensor.load "cta_group::2" [%a_tile], %a_map, {%c0, %first_row}, [%leaders_loaded]
    ptx.cp.async.bulk.tensor.load "cta_group::2" [%b_tile], %b_map, {%c0, %first_column}, [%leaders_loaded]
    scf.if %is_leader {
      ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
      tcgen05.fence after_thread_sync
      %a = tcgen05.descriptor %a_tile : !a
      %b = tcgen05.descriptor %b_tile : !b
      tcgen05.mma cta_group_2 %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 256x16>} : !d, !a, !b
      // step: mask of the commit, without the peer [T5-SIM-005] -> tcgen05.commit cta_group_2 %multiplied multicast %only_first
      // step: multicast of the commit [T5-SIM-005] -> tcgen05.commit cta_group_2 %multiplied
      tcgen05.commit cta_group_2 %multiplied multicast %both // step: commit [T5-SIM-005]
    }
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
  tcgen05.wait ld
  tcgen05.fence before_thread_sync
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned
  // step: dealloc of both CTAs [T5-SIM-009] -> scf.if %is_leader { tcgen05.dealloc cta_group_2 %all, %c32 : !all }
  tcgen05.dealloc cta_group_2 %all, %c32 : !all // step: dealloc [T5-SIM-009]
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
  ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  ptx.ret
}
