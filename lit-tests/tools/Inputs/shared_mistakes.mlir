!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @twice(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>,
                  %other : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %p : i64) {
  %ring = ws.ring 3 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 1] to %tile
      }
      ws.produce %ring by tma (%tile) {
        ws.tma_load %other[0, 1] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
      ws.elected {
        tcgen05.fence before_thread_sync
      }
    }
  }
  ptx.ret
}
