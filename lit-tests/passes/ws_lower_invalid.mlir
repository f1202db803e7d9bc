// RUN: tcgen05-opt %s -p ws-lower --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s
// RUN: tcgen05-opt %s -p ws-unroll-vectors --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s --check-prefix UNROLL

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @example(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64) {
  %rows = arith.constant 128 : i32
  %a = ws.alloc : !a
  %d = ws.alloc : !tcgen05.tmem<128x128xf32>
  // CHECK: error[T5-PTX-104]: ws.warp_specialize: each operation before ws-lower must be one with roles that hold stages of rings; found ws.warp_specialize
  // UNROLL: error[T5-PTX-104]: ws.warp_specialize: each operation before ws-unroll-vectors must be one with roles that hold stages of rings
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

// -----

ptx.kernel @vectors(%p : i64, %m : i32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      // CHECK: error[T5-PTX-104]: ws.global_load: each operation before ws-lower must be one without vectors; found ws.global_load
      %v = ws.global_load %p[%t, 0] of (%m, %m) -> vector<4xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @tiles(%m : i32) {
  // CHECK: error[T5-PTX-104]: ws.warp_specialize: each operation before ws-lower must be one without tiles; found ws.warp_specialize
  ws.warp_specialize tiles(%i) of (%m by 64) {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}
