// T5-WS-014
// section: 9.7.16.8.1
// subject: warps of a role that accesses tensor memory
// statement: A role that loads from tensor memory or stores to it has four warps, and thread t has
//     row t. Rows and columns lie inside the buffer, as far as they follow from constants, from
//     loops with constant bounds, and from the number of the thread.
// why: Each warp of a warpgroup can access only its quarter of the lanes.
// fix: give the role the warps of one warpgroup; make two warpgroups two roles

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
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[64, 0] -> vector<8xbf16>
      }
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
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[63, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}
