// T5-WS-007
// section: 9.7.13.15.4
// subject: token of a stage
// statement: Each stage that a role takes by a token is given back exactly once on every path. A
//     token may be passed on by scf.for, scf.if and regions, and its buffers with it. A buffer is
//     used only while the role holds its stage.
// why: A stage that is not given back blocks the other roles; one that is given back twice, or used
//     later, belongs to another role.
// fix: give the stage back once, by ws.producer_commit or ws.consumer_release, after its uses

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
