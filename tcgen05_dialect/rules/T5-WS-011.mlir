// T5-WS-011
// section: 9.7.13.15.4
// subject: number of stages
// statement: Each role that consumes a ring consumes as many stages as are produced.
// why: A consumer of more stages waits forever; a stage that nobody consumes is still in use when
//     the kernel ends, or blocks the producer.
// fix: produce as many stages as are consumed; exclude sizes that never occur, with ptx.at_least,
//     ptx.multiple_of or ptx.assume

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
      ws.consume %ring by threads (%tile) { %v = ws.local_load %tile[%t, 0] -> vector<8xbf16> }
      ws.consume %ring by threads (%next) { %w = ws.local_load %next[%t, 0] -> vector<8xbf16> }
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
      ws.consume %ring by threads (%tile) { %v = ws.local_load %tile[%t, 0] -> vector<8xbf16> }
    }
  }
  ptx.ret
}
