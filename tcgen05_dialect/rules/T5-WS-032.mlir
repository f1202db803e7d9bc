// T5-WS-032
// section: 9.7.13.1
// subject: operation in the sequential form
// statement: In the sequential form, operations of ws and raw accesses to tensor memory use the
//     buffers of ws.alloc, directly in the role or in scf.for and scf.if.
// why: The role of an operation, and the waits before and after it, follow from its kind.
// fix: use operations of ws, or write the roles and rings

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64) {
  %rows = arith.constant 128 : i32
  %a = ws.alloc : !a
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.elected { }
      ws.tma_load %map[0, 0] to %a
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
