// T5-WS-030
// section: 9.7.13.15.4
// subject: turns at a buffer
// statement: In the sequential form, the operations that use a buffer belong to one role, or to
//     roles that take turns: one role writes the buffer, then the others read it.
// why: Roles hand a buffer over as a stage of a ring, which they produce and consume in turns.
// fix: write the buffer before each read, or use another buffer

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64) {
  %rows = arith.constant 128 : i32
  %a = ws.alloc : !a
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.mma %d, %a, %a
      ws.tma_load %map[0, 0] to %a
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
