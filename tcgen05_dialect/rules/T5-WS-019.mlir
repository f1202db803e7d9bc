// T5-WS-019
// section: 9.7.16.6.2
// subject: copy to tensor memory
// statement: A ws.tmem_copy to a ws.alloc is directly in the region that holds its tile. A region
//     has one copy to each matrix; the products that read the matrix follow it in this region. All
//     copies to a matrix come from one ring.
// why: The manual does not order a copy after an earlier product that reads the matrix. That
//     product is certainly complete only after its stage has been released.
// fix: copy the tile to a matrix of its own, in the region of the products that read it


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
