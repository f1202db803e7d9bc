// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
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
      // CHECK: error[T5-TMEM-005]: ws.address: tile: buffer must be !ws.smem; found i32
      %a = ws.address %t
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
      }
    }
    ws.role @use warps(1) threads(%t) {
      ws.consume %ring by mma (%tile) {
        %a = ws.address %tile
        // CHECK: error[T5-WS-002]: ptx.st: the use of %tile in the region by mma must be ws.mma, or a raw operation in ws.elected; found ptx.st
        ptx.st "shared::cta" b32 [%a], {%t}
      }
    }
  }
  ptx.ret
}
