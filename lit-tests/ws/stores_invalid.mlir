// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>) {
  %v = arith.constant dense<0.0> : vector<64xbf16>
  %out = ws.ring 2 : !ws.smem<128x64xbf16, k_major, swizzle_128b>
  ws.warp_specialize {
    ws.role @store warps(4) threads(%t) {
      ws.produce %out by threads (%s) {
        ws.local_store %v to %s[%t, 0]
        ws.tma_store %s to %map[0, 0]
      }
      ws.produce %out by threads (%s) {
        ws.local_store %v to %s[%t, 0]
        // CHECK: error[T5-WS-021]: ws.tma_store: the store in line 10 writes the same tile of %map, and nothing orders the two
        ws.tma_store %s to %map[0, 0]
      }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %j : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.cmpi eq, %j, %c0 : i32
  %v = arith.constant dense<0.0> : vector<64xbf16>
  %out = ws.ring 2 : !ws.smem<128x64xbf16, k_major, swizzle_128b>
  ws.warp_specialize {
    ws.role @store warps(4) threads(%t) {
      scf.for %a = %c0 to %n step %c1 : i32 {
        ws.produce %out by threads (%s) {
          ws.local_store %v to %s[%t, 0]
          %column = arith.addi %a, %j : i32
          ws.tma_store %s to %map[0, %column]
        }
      }
      scf.for %x = %c0 to %n step %c1 : i32 {
        ws.produce %out by threads (%s) {
          ws.local_store %v to %s[%t, 0]
          %b = arith.constant 3 : i32
          %column = arith.addi %x, %j : i32
          // CHECK: error[T5-WS-021]: ws.tma_store: the store in line 36 writes the same tile of %map, and nothing orders the two
          ws.tma_store %s to %map[0, %column]
        }
      }
    }
  }
  ptx.ret
}
