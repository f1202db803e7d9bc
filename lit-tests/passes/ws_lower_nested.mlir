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
