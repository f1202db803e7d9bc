!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      ws.consumer_release %k
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      %k, %a = ws.consumer_wait %ring by threads
      %v = ws.local_load %a[%t, 0] -> vector<8xbf16>
      ws.consumer_release %k
    }
  }
  ptx.ret
}
