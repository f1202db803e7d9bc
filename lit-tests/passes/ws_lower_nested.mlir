// RUN: tcgen05 compile %s --verify off | filecheck %s

// Of nested regions, each announces the bytes of its own loads.
!x = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!y = !ws.smem<32x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%x_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %y_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>) {
  %x_ring = ws.ring 1 : !x
  %y_ring = ws.ring 1 : !y
  ws.warp_specialize {
    ws.role @load warps(1) {
      // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%{{r[0-9]+}}], 8192;
      // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%{{r[0-9]+}}], 4096;
      ws.produce %x_ring by tma (%x) {
        ws.produce %y_ring by tma (%y) {
          ws.tma_load %y_map[0, 0] to %y
        }
        ws.tma_load %x_map[0, 0] to %x
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %x_ring by threads (%x) {
        %v = ws.local_load %x[%t, 0] -> vector<8xbf16>
        ws.consume %y_ring by threads (%y) {
          %w = ws.local_load %y[0, 0] -> vector<8xbf16>
        }
      }
    }
  }
  ptx.ret
}

// A product without `accumulate` adds to what an earlier one, with a condition, has written.
!a = !ws.smem<128x16xbf16, k_major, swizzle_32b>
!b = !ws.smem<32x16xbf16, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x32xf32>
// CHECK-LABEL: .entry sums
ptx.kernel @sums(%a_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>, %b_map : !ptx.tensor_map<32x16xbf16, swizzle_32b>, %n : i32) {
  %zero = arith.constant 0 : i32
  %adds = arith.cmpi ne, %n, %zero : i32
  %ab = ws.ring 1 : !a, !b
  %sums = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %sums by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          // CHECK: setp.ne.b32 [[TRUE:%p[0-9]+]], 1, 0;
          // CHECK: setp.ne.b32 [[ADDS:%p[0-9]+]],
          // CHECK: tcgen05.mma{{.*}} [[ADDS]];
          // CHECK: tcgen05.mma{{.*}} [[TRUE]];
          ws.mma %d, %a, %b accumulate %adds
          ws.mma %d, %a, %b
        }
      }
    }
    ws.role @use warps(4) threads(%t) {
      ws.consume %sums by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<8xf32>
      }
    }
  }
  ptx.ret
}
