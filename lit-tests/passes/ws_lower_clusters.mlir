// RUN: tcgen05-opt %s -p tcgen05-lower-ws | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-ws | tcgen05-opt

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x32xf32>

// CHECK: ptx.kernel @clusters(

// A cluster takes blocks of 2 x 2 tiles.
// CHECK: [[ROWS:%[0-9]+]] = arith.ceildivui %m, {{.*}}
// CHECK: [[CTA:%[0-9]+]] = ptx.special_register ctaid.x
// CHECK: [[FIRST:%[0-9]+]] = arith.divui [[CTA]], {{.*}}
// CHECK: [[X:%[0-9]+]] = ptx.special_register cluster_ctaid.x

// CHECK-DAG: [[ONE:%[0-9]+]] = arith.constant 1 : i32
// CHECK-DAG: [[BOTH:%[0-9]+]] = arith.constant 3 : i32
// CHECK-DAG: [[TWO:%[0-9]+]] = arith.constant 2 : i32
// CHECK-DAG: [[EVEN:%[0-9]+]] = arith.constant 5 : i32
// CHECK-DAG: [[BYTES:%[0-9]+]] = arith.constant 20480 : i32

// Each CTA sends tiles to three of the four CTAs, itself included; these three release its stages.
// CHECK: ptx.mbarrier.init [%ab_full], [[ONE]]
// CHECK-NEXT: ptx.mbarrier.init [%ab_empty], [[BOTH]]
// CHECK: ptx.barrier.cluster.arrive aligned
// CHECK-NEXT: ptx.barrier.cluster.wait aligned

// The mask of a tile has the CTAs of a column or of a row of the cluster; the bytes are those of both
// tiles. The position of the CTA tells which part it loads.
// CHECK: scf.if %is_load {
// CHECK: [[RANK:%[0-9]+]] = ptx.special_register cluster_ctarank
// CHECK-NEXT: [[Y:%[0-9]+]] = ptx.special_register cluster_ctaid.y
// CHECK-NEXT: [[AWAY:%[0-9]+]] = arith.muli [[Y]], [[TWO]]
// CHECK-NEXT: [[COLUMN:%[0-9]+]] = arith.subi [[RANK]], [[AWAY]]
// CHECK-NEXT: [[MASK:%[0-9]+]] = arith.shli [[EVEN]], [[COLUMN]]
// CHECK-NEXT: [[A_MASK:%multicast_mask]] = arith.trunci [[MASK]] : i32 to i16
// CHECK-NEXT: [[A_ROW:%[0-9]+]] = arith.muli [[Y]]
// CHECK-NEXT: [[A_BYTE:%[0-9]+]] = arith.muli [[Y]]
// CHECK: scf.for %tile{{.*}} = [[FIRST]] to
// CHECK-NEXT: [[BLOCK:%[0-9]+]] = arith.remui %tile{{.*}}, [[ROWS]]
// CHECK: [[ROW:%[0-9]+]] = arith.muli [[BLOCK]], {{.*}}
// CHECK-NEXT: %i{{.*}} = arith.addi [[ROW]], [[X]]
// CHECK: ptx.mbarrier.wait [%ab_empty]
// CHECK-NEXT: ptx.mbarrier.arrive.expect_tx [%ab_full], [[BYTES]]
// CHECK: [[A_AT:%[0-9]+]] = arith.addi {{.*}}, [[A_ROW]]
// CHECK-NEXT: [[A_TO:%[0-9]+]] = arith.addi {{.*}}, [[A_BYTE]]
// CHECK-NEXT: ptx.cp.async.bulk.tensor.load multicast_mask([[A_MASK]]) [[[A_TO]]], %a_map, {{{.*}}, [[A_AT]]}, [%ab_full]
// CHECK: ptx.cp.async.bulk.tensor.load multicast_mask(%multicast_mask_1)

// No release of another CTA may meet a CTA that has ended.
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: ptx.mbarrier.wait [%ab_empty], %ab_phase

// A release is for all CTAs of the row and of the column.
// CHECK: scf.if %is_mma {
// CHECK: [[COLUMN:%[0-9]+]] = arith.shli [[EVEN]]
// CHECK: [[ROW:%[0-9]+]] = arith.shli [[BOTH]]
// CHECK-NEXT: [[UNION:%[0-9]+]] = arith.ori [[COLUMN]], [[ROW]]
// CHECK-NEXT: [[MASK:%multicast_mask[_0-9]*]] = arith.trunci [[UNION]] : i32 to i16
// CHECK: tcgen05.commit %ab_empty multicast [[MASK]]
// CHECK: tcgen05.commit %acc_full
// CHECK-NOT: multicast
// CHECK: ptx.barrier.cluster.wait aligned
ptx.kernel @clusters(%a_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>,
                     %b_map : !ptx.tensor_map<16x64xbf16, swizzle_128b>, %m : i32, %n : i32)
    attributes {cluster_dims = array<i32: 2, 2>} {
  %ab = ws.ring 1 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 32) persistent {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%sa, %sb) {
        ws.tma_load %a_map[%i, 0] to %sa multicast(y)
        ws.tma_load %b_map[%j, 0] to %sb multicast(x)
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<32xf32>
      }
    }
  }
  ptx.ret
}
