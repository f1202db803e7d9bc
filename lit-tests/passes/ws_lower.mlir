// RUN: tcgen05-opt %s -p ws-sink-tiles,ws-unroll-vectors,ws-lower | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-ws | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-ws | tcgen05-opt

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
!a_map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!b_map = !ptx.tensor_map<256x64xbf16, swizzle_128b>

// Barrier objects have the names of their rings.
// CHECK: ptx.shared_memory @tiles needs {{[0-9]+}} alignment 1024
// CHECK-NEXT: ptx.shared_memory @ab_full size 32 alignment 8
// CHECK-NEXT: ptx.shared_memory @ab_empty size 32 alignment 8
// CHECK-NEXT: ptx.shared_memory @acc_full size 8 alignment 8
// CHECK-NEXT: ptx.shared_memory @acc_empty size 8 alignment 8
// CHECK-NEXT: ptx.shared_memory @tensor_memory size 4 alignment 4
// CHECK: ptx.kernel @gemm({{.*}} attributes {reqntid = array<i32: 192>} {

// One thread initialises: commits arrive once, and the four warps of the epilogue once each.
// CHECK: ptx.mbarrier.init [%ab_full], [[ONE:%[0-9]+]]
// CHECK: ptx.mbarrier.init [%acc_full], [[ONE]]
// CHECK-NEXT: ptx.mbarrier.init [%acc_empty], [[FOUR:%[0-9]+]]
// CHECK-NEXT: ptx.fence.mbarrier_init
// CHECK-NEXT: ptx.fence.proxy.async "shared::cta"
// CHECK-NEXT: ptx.prefetch.tensormap [%a_map]
// CHECK: tcgen05.alloc %tensor_memory
// CHECK-NEXT: tcgen05.relinquish_alloc_permit
// CHECK: tcgen05.fence before_thread_sync
// CHECK-NEXT: ptx.bar.sync
// CHECK-NEXT: tcgen05.fence after_thread_sync

// Roles of whole warpgroups come first. Each warp of the epilogue arrives once, behind its loads.
// CHECK: scf.if %is_epilogue {
// CHECK: ptx.mbarrier.wait [%acc_full]
// CHECK-NEXT: tcgen05.fence after_thread_sync
// CHECK: tcgen05.ld shape_32x32b x32
// CHECK: tcgen05.fence before_thread_sync
// CHECK-NEXT: ptx.bar.warp.sync
// CHECK-NEXT: ptx.guard %elected{{.*}} {
// CHECK-NEXT: ptx.mbarrier.arrive [%acc_empty]

// The role of TMA runs on one lane.
// CHECK: scf.if %is_load {
// CHECK: scf.if %elected{{.*}} {
// CHECK-NEXT: %ab_phase, %ab_stage = scf.for %block
// CHECK: ptx.mbarrier.wait [{{.*}}], %ab_phase
// CHECK: ptx.mbarrier.arrive.expect_tx
// CHECK: ptx.cp.async.bulk.tensor.load [{{.*}}], %a_map, {{{.*}}}, [
// CHECK: ptx.cp.async.bulk.tensor.load [{{.*}}], %b_map, {{{.*}}}, [
// CHECK: scf.yield %ab_phase{{.*}}, %ab_stage{{.*}} : i32, i32

// So does the role of MMA. A loop of whole rounds of the ring, with constant stages, comes before one
// of the other blocks.
// CHECK: scf.if %is_mma {
// CHECK: scf.if %elected{{.*}} {
// CHECK: ptx.mbarrier.wait [%acc_empty]
// CHECK: scf.for %block{{.*}} iter_args(%ab_phase{{[^,]*}}, %d_written{{[^,]*}}) -> (i32, i1) : i32 {
// CHECK-NEXT: ptx.mbarrier.wait [%ab_full], %ab_phase
// CHECK: ptx.mbarrier.wait [%{{[0-9]+}}], %ab_phase
// CHECK: ptx.mbarrier.wait [%{{[0-9]+}}], %ab_phase
// CHECK: ptx.mbarrier.wait [%{{[0-9]+}}], %ab_phase
// CHECK: scf.for %block{{.*}} iter_args(%ab_phase{{[^,]*}}, %ab_stage{{[^,]*}}, %d_written{{[^,]*}}) -> (i32, i32, i1) : i32 {
// CHECK: ptx.mbarrier.wait [{{.*}}], %ab_phase
// CHECK-NEXT: tcgen05.fence after_thread_sync
// CHECK: tcgen05.mma %d{{.*}}, {{.*}} accumulate %d_written
// CHECK: tcgen05.mma
// CHECK: tcgen05.mma
// CHECK: tcgen05.mma
// CHECK: tcgen05.commit
// CHECK: tcgen05.commit %acc_full
// CHECK: }
// CHECK-NEXT: ptx.bar.warp.sync

// CHECK: tcgen05.fence before_thread_sync
// CHECK-NEXT: ptx.bar.sync
// CHECK-NEXT: scf.if
// CHECK-NEXT: tcgen05.fence after_thread_sync
// CHECK-NEXT: tcgen05.dealloc
ptx.kernel @gemm(%a_map : !a_map, %b_map : !b_map, %c : i64,
                 %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                 %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c64 : i32
  %ab = ws.ring 4 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %ab by tma (%sa, %sb) {
          ws.tma_load %a_map[%i, %block] to %sa
          ws.tma_load %b_map[%j, %block] to %sb
        }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %block = %c0 to %blocks step %c1 : i32 {
          ws.consume %ab by mma (%sa, %sb) {
            ws.mma %d, %sa, %sb
          }
        }
      }
    }
    ws.role @epilogue warps(4) threads(%t) {
      %first_row = arith.muli %i, %c128 : i32
      %row = arith.addi %first_row, %t : i32
      %first_column = arith.muli %j, %c256 : i32
      ws.consume %acc by threads (%d) {
        scf.for %at = %c0 to %c256 step %c32 : i32 {
          %v = ws.tmem_load %d[%at] -> vector<32xf32>
          %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
          %column = arith.addi %first_column, %at : i32
          ws.global_store %h to %c[%row, %column] of (%m, %n)
        }
      }
    }
  }
  ptx.ret
}
