// T5-WS-012
// section: 9.7.13.15.4
// subject: order of the regions
// statement: The roles of a kernel finish.
// why: Roles that wait for each other's stages hang in every schedule.
// fix: produce a stage before the role waits for what depends on it, or add a stage to the ring

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %x = ws.ring 1 : !tile
  %y = ws.ring 1 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %x by tma (%s) { ws.tma_load %map[0, 0] to %s }
      ws.produce %x by tma (%s) { ws.tma_load %map[0, 0] to %s }
      ws.produce %y by tma (%s) { ws.tma_load %map[0, 0] to %s }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %y by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
      ws.consume %x by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
      ws.consume %x by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %x = ws.ring 1 : !tile
  %y = ws.ring 1 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %x by tma (%s) { ws.tma_load %map[0, 0] to %s }
      ws.produce %x by tma (%s) { ws.tma_load %map[0, 0] to %s }
      ws.produce %y by tma (%s) { ws.tma_load %map[0, 0] to %s }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %x by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
      ws.consume %x by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
      ws.consume %y by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
    }
  }
  ptx.ret
}
