// T5-WS-021
// section: 9.7.9.25.5.2
// subject: tile that TMA stores
// statement: A kernel stores each tile of a tensor at most once by ws.tma_store.
// why: Nothing orders two stores to one tile; the tensor may keep the bytes of either one.
// fix: store the tile once, or give the stores different indices


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
