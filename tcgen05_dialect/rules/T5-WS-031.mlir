// T5-WS-031
// section: 9.7.13.1
// subject: value of another role
// statement: In the sequential form, loads, products and the control around them depend only on
//     what each role can compute: parameters, tiles, loop counters and constants.
// why: Roles exchange buffers; a value in the registers of one role is unknown to the others.
// fix: compute the value from parameters, tiles, loop counters or constants

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64) {
  %rows = arith.constant 128 : i32
  %a = ws.alloc : !a
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %map[%t, 0] to %a
      ws.mma %d, %a, %a
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%rows, %rows)
    }
  }
  ptx.ret
}

// -----

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64) {
  %rows = arith.constant 128 : i32
  %a = ws.alloc : !a
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %map[0, 0] to %a
      ws.mma %d, %a, %a
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%rows, %rows)
    }
  }
  ptx.ret
}
