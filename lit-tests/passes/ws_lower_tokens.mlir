// RUN: tcgen05-opt %s -p tcgen05-lower-ws | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-ws | tcgen05-opt

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x32xf32>

ptx.shared_memory @side size 128 alignment 128

ptx.kernel @tokens(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                   %b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>,
                   %from : i64, %blocks : i32 {ptx.at_least = 1}) {
  %side = ptx.address_of @side
  %bytes = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ab = ws.ring 3 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        %free, %sa, %sb = ws.producer_acquire %ab by tma
        // The address of the barrier object of the stage, for raw copies.
        // CHECK: %full = ptx.add s32 %ab_full, {{%[0-9]+}}
        // CHECK: ptx.mbarrier.expect_tx [%full], %bytes
        %full = ws.mbarrier %free full
        ws.elected {
          ptx.mbarrier.expect_tx [%full], %bytes
          ptx.cp.async.bulk.load [%side], [%from], %bytes, [%full]
        }
        ws.tma_load %a_map[0, %block] to %sa
        ws.tma_load %b_map[0, %block] to %sb
        ws.producer_commit %free
      }
    }
    // The loop carries the number of the stage that is held, in place of its token and buffers, and
    // whether an MMA has written the accumulator. The commit is for this stage, not for the next.
    // CHECK: scf.if %is_mma {
    // CHECK: ptx.mbarrier.wait [%ab_full], [[ZERO:%[0-9]+]]
    // CHECK: %last_stage, %d1_written, {{.*}} = scf.for {{.*}} iter_args(%held_stage = [[ZERO]], %d_written = {{%[0-9]+}}, [[PHASE:%ab_phase_[0-9]+]] = {{.*}}, [[STAGE:%ab_stage_[0-9]+]] = {{.*}})
    // CHECK: [[NEXT:%[0-9]+]] = arith.muli [[STAGE]], {{.*}}
    // CHECK-NEXT: [[FULL:%[0-9]+]] = ptx.add s32 %ab_full, [[NEXT]]
    // CHECK-NEXT: ptx.mbarrier.wait [[[FULL]]], [[PHASE]]
    // CHECK: [[A:%[0-9]+]] = tcgen05.tile {{%[0-9]+}}[%held_stage]
    // CHECK: tcgen05.mma %d{{.*}}, [[A]], {{.*}} accumulate %d_written
    // CHECK: [[OFFSET:%[0-9]+]] = arith.muli %held_stage, {{.*}}
    // CHECK-NEXT: [[EMPTY:%[0-9]+]] = ptx.add s32 %ab_empty, [[OFFSET]]
    // CHECK-NEXT: tcgen05.commit [[EMPTY]]
    // CHECK-NEXT: scf.yield [[STAGE]],
    // CHECK: tcgen05.tile {{%[0-9]+}}[%last_stage]
    // CHECK: tcgen05.mma %d1, {{.*}} accumulate %d1_written
    ws.role @mma warps(1) {
      %sums, %d0 = ws.producer_acquire %acc by mma
      %first, %a0, %b0 = ws.consumer_wait %ab by mma
      %last, %a1, %b1, %held_sums, %d1 = scf.for %block = %c1 to %blocks step %c1
          iter_args(%held = %first, %ha = %a0, %hb = %b0, %out = %sums, %d = %d0)
          -> (!ws.token<consume>, !a, !b, !ws.token<produce>, !d) : i32 {
        %next, %sa, %sb = ws.consumer_wait %ab by mma
        ws.mma %d, %ha, %hb
        ws.consumer_release %held
        scf.yield %next, %sa, %sb, %out, %d
          : !ws.token<consume>, !a, !b, !ws.token<produce>, !d
      }
      ws.mma %d1, %a1, %b1
      ws.consumer_release %last
      ws.producer_commit %held_sums
    }
    ws.role @use warps(4) threads(%t) {
      %full, %d = ws.consumer_wait %acc by threads
      %v = ws.tmem_load %d[0] -> vector<32xf32>
      ws.consumer_release %full
    }
  }
  ptx.ret
}
