// A pair of CTAs multiplies. Warp 0 of each CTA allocates and frees, warp 1 reads a part of the
// product. Each CTA frees when it has heard that both have read, and ends behind its own dealloc.
// Mistakes are found under every schedule.
//
// argument a: bf16 256x16, box 16x128 swizzle_32b
// argument b: bf16 16x16, box 16x8 swizzle_32b
// argument out: f32 2x32x16
// result out: np.stack([a[32:64] @ b.T, a[160:192] @ b.T])

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @read size 8 alignment 8
ptx.shared_memory @ends size 8 alignment 8
ptx.shared_memory @unused size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @pair_handshake(
    %a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 64, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 8704 : i32
  %all_lanes = arith.constant -1 : i32
  %both = arith.constant 3 : i16
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %read = ptx.address_of @read
  %ends = ptx.address_of @ends
  %unused = ptx.address_of @unused
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %peer = arith.xori %rank, %c1 : i32
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %first_row = arith.muli %rank, %c128 : i32
  %first_column = arith.muli %rank, %c8 : i32
  %row = ptx.mad u32 %rank, %c32, %lane
  %to = ptx.mad.wide u32 %row, %c64, %out
  %leaders_loaded = ptx.mapa %loaded, %c0
  %peers_ends = ptx.mapa %ends, %peer
  %peers_unused = ptx.mapa %unused, %peer
  // step: equal numbers of columns [T5-SIM-023] -> %columns = ptx.mad u32 %rank, %c32, %c32
  %columns = arith.constant 32 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  %initialises = arith.andi %elected, %is_first_warp : i1
  scf.if %initialises {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.mbarrier.init [%read], %c1
    ptx.mbarrier.init [%ends], %c1
    ptx.mbarrier.init [%unused], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.warp.sync %all_lanes
  // step: barrier of the cluster before alloc [T5-SIM-017] -> ptx.bar.sync %c0
  ptx.barrier.cluster.arrive relaxed aligned ptx.barrier.cluster.wait aligned // step: any barrier before alloc [T5-SIM-017]
  scf.if %is_first_warp {
    tcgen05.alloc cta_group_2 %slot, %columns
    // step: relinquish_alloc_permit in both CTAs [T5-SIM-023] -> scf.if %is_leader { tcgen05.relinquish_alloc_permit cta_group_2 }
    tcgen05.relinquish_alloc_permit cta_group_2
  }
  ptx.bar.sync %c0
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first_warp {
    scf.if %elected {
      scf.if %is_leader {
        ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
      }
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%a_tile], %a_map, {%c0, %first_row}, [%leaders_loaded]
      ptx.cp.async.bulk.tensor.load "cta_group::2" [%b_tile], %b_map, {%c0, %first_column}, [%leaders_loaded]
      scf.if %is_leader {
        // step: acquire of the wait for the copies [T5-SIM-014] -> ptx.mbarrier.wait relaxed cluster [%loaded], %c0
        ptx.mbarrier.wait acquire cta [%loaded], %c0
        tcgen05.fence after_thread_sync
        %a = tcgen05.descriptor %a_tile : !a
        %b = tcgen05.descriptor %b_tile : !b
        tcgen05.mma cta_group_2 %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 256x16>} : !d, !a, !b
        tcgen05.commit cta_group_2 %multiplied multicast %both
        // mistake: a second commit, for which the peer does not wait [T5-SIM-018] -> tcgen05.commit cta_group_2 %unused multicast %both
      }
    }
    ptx.bar.warp.sync %all_lanes
    ptx.mbarrier.wait [%read], %c0 // step: wait for the own reads before dealloc [T5-SIM-014]
    scf.if %elected {
      scf.if %is_leader {
        ptx.mbarrier.wait acquire cluster [%ends], %c0 // step: wait of the first CTA for the other one [T5-SIM-018]
        // step: scope of the first CTA's arrival [T5-SIM-018] -> ptx.mbarrier.arrive.remote release cta [%peers_ends]
        ptx.mbarrier.arrive.remote [%peers_ends]
      } else {
        ptx.mbarrier.arrive.remote [%peers_ends]
        ptx.mbarrier.wait acquire cluster [%ends], %c0 // step: wait of the second CTA for the other one [T5-SIM-018]
        // mistake: an arrival for which the first CTA does not wait [T5-SIM-018] -> ptx.mbarrier.arrive.remote [%peers_unused]
      }
      // mistake: a copy for which the peer does not wait [T5-SIM-018] -> scf.if %is_leader { ptx.cp.async.bulk.tensor.load "cta_group::2" multicast_mask(%both) [%b_tile], %b_map, {%c0, %first_column}, [%unused] }
    }
    ptx.bar.warp.sync %all_lanes
    tcgen05.dealloc cta_group_2 %all, %columns : !all
  } else {
    ptx.mbarrier.wait [%multiplied], %c0
    tcgen05.fence after_thread_sync
    %part = tcgen05.slice %d[32, 0] : !d to !rows
    %v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
    tcgen05.wait ld
    tcgen05.fence before_thread_sync
    ptx.bar.warp.sync %all_lanes
    scf.if %elected {
      ptx.mbarrier.arrive [%read]
    }
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
    ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
    ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
  }
  ptx.ret
}
