// T5-WS-015
// section: 5.5.7, 9.7.9.25
// subject: box of the tensor map
// statement: A tile consists of whole boxes of its tensor map, which has the swizzle mode and the
//     elements of the tile.
// why: Otherwise the copies would fill bytes outside the tile, or arrange its elements differently.
// fix: give the tensor map a box that divides the tile, with its swizzle mode and element type

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<48x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
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
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}
