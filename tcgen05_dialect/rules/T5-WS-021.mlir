
ptx.kernel @example(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>) {
  %v = arith.constant dense<0.0> : vector<64xbf16>
  %out = ws.ring 2 : !ws.smem<128x64xbf16, k_major, swizzle_128b>
  ws.warp_specialize {
    ws.role @store warps(4) threads(%t) {
      ws.produce %out by threads (%s) {
        ws.local_store %v to %s[%t, 0]
        ws.tma_store %s to %map[0, 0]
      }
      ws.produce %out by threads (%s) {
        ws.local_store %v to %s[%t, 0]
        ws.tma_store %s to %map[0, 0]
      }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>) {
  %v = arith.constant dense<0.0> : vector<64xbf16>
  %out = ws.ring 2 : !ws.smem<128x64xbf16, k_major, swizzle_128b>
  ws.warp_specialize {
    ws.role @store warps(4) threads(%t) {
      ws.produce %out by threads (%s) {
        ws.local_store %v to %s[%t, 0]
        ws.tma_store %s to %map[0, 0]
      }
      ws.produce %out by threads (%s) {
        ws.local_store %v to %s[%t, 0]
        ws.tma_store %s to %map[0, 1]
      }
    }
  }
  ptx.ret
}
