// T5-WS-006
// section: 9.7.13.15.4
// subject: condition around a region
// statement: All threads of a role execute its regions equally often: the conditions and loops
//     around a region do not depend on the thread. The same holds for ws.role_barrier and for each
//     operation that one thread issues for the role, such as ws.mma; nor do the operands of such an
//     operation depend on the thread.
// why: A thread that skips a region neither waits for the stage nor arrives; the phases diverge.
//     Which thread issues an operation is undefined.
// fix: compute the value from parameters, tiles, loop counters or constants

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c0 = arith.constant 0 : i32
  %ring = ws.ring 1 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
    }
    ws.role @use warps(2) threads(%t) {
      %is_first = arith.cmpi eq, %t, %c0 : i32
      scf.if %is_first {
        ws.consume %ring by threads (%tile) { %v = ws.local_load %tile[%t, 0] -> vector<8xbf16> }
      }
    }
  }
  ptx.ret
}

// -----

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c0 = arith.constant 0 : i32
  %ring = ws.ring 1 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) { ws.tma_load %map[0, 0] to %tile }
    }
    ws.role @use warps(2) threads(%t) {
      %is_first = arith.cmpi eq, %t, %c0 : i32
      ws.consume %ring by threads (%tile) {
        scf.if %is_first { %v = ws.local_load %tile[0, 0] -> vector<8xbf16> }
      }
    }
  }
  ptx.ret
}
