// T5-WS-005
// section: 9.7.13.15.4
// subject: region of a ring
// statement: Each region of a ring is in a role. The regions of a ring in one role are alike: all
//     produce or all consume, all by the same agent (tma, mma or threads); none is inside another.
//     The same holds for stages that a role takes by tokens. Several roles may produce one ring
//     only if all of them produce by threads and other roles consume it. A ws.alloc is used by one
//     role, and in this role by threads or by mma, but not by both.
// why: Each role counts its stages in order; other regions would take a stage out of turn.
// fix: put the region into a role of its own, or beside the other region

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
        ws.consume %ring by threads (%again) {
        }
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
