// T5-WS-022
// section: 9.7.9.25.5.2
// subject: multicast of a tile
// statement: A multicast is along a dimension of the cluster of the kernel. The CTAs along it load
//     the same tiles in the same order, and an equal number of boxes of each.
// why: Each of these CTAs writes its boxes to the shared memory of all of them. If they load
//     different tiles, each receives parts of all; a CTA that loads more often waits forever.
// fix: multicast only tiles whose indices are the same for all CTAs along the dimension


!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32, %n : i32)
    attributes {cluster_dims = array<i32: 2>} {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[%i, 0] to %tile multicast(x)
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
ptx.kernel @example(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32, %n : i32)
    attributes {cluster_dims = array<i32: 2>} {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[%j, 0] to %tile multicast(x)
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
