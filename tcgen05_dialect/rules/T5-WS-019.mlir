
ptx.kernel @example(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %factors : !ptx.tensor_map<1x1x128xu32>) {
  %false = arith.constant false
  %in = ws.ring 2 : !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>, !ws.smem<128x4xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) { ws.produce %in by tma (%a, %f) { ws.tma_load %map[0, 0] to %a ws.tma_load %factors[0, 0] to %f } }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.mma %d, %a, %a scales(%t, %t) accumulate %false
        ws.tmem_copy %f to %t
      }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map<128x128xu8, swizzle_128b>, %factors : !ptx.tensor_map<1x1x128xu32>) {
  %false = arith.constant false
  %in = ws.ring 2 : !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>, !ws.smem<128x4xf8E8M0FNU, scale>
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  %t = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) { ws.produce %in by tma (%a, %f) { ws.tma_load %map[0, 0] to %a ws.tma_load %factors[0, 0] to %f } }
    ws.role @mma warps(1) {
      ws.consume %in by mma (%a, %f) {
        ws.tmem_copy %f to %t
        ws.mma %d, %a, %a scales(%t, %t) accumulate %false
      }
    }
  }
  ptx.ret
}
