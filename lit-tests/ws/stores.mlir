// RUN: tcgen05-opt %s | filecheck %s

// Stores of different tiles, or of which one is executed.
// CHECK-COUNT-6: ws.tma_store

ptx.kernel @other_bounds(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %j : i32, %n : i32) {
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
      scf.for %x = %c1 to %n step %c1 : i32 {
        ws.produce %out by threads (%s) {
          ws.local_store %v to %s[%t, 0]
          %b = arith.constant 3 : i32
          %column = arith.addi %x, %j : i32
          ws.tma_store %s to %map[0, %column]
        }
      }
    }
  }
  ptx.ret
}

ptx.kernel @conditional(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %j : i32, %n : i32) {
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
      scf.if %zero {
        ws.produce %out by threads (%s) {
          ws.local_store %v to %s[%t, 0]
          %b = arith.constant 3 : i32
          %column = arith.addi %b, %j : i32
          ws.tma_store %s to %map[0, %column]
        }
      }
    }
  }
  ptx.ret
}

// One of two.
ptx.kernel @either(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %j : i32) {
  %c0 = arith.constant 0 : i32
  %zero = arith.cmpi eq, %j, %c0 : i32
  %v = arith.constant dense<0.0> : vector<64xbf16>
  %w = arith.constant dense<1.0> : vector<64xbf16>
  %out = ws.ring 2 : !ws.smem<128x64xbf16, k_major, swizzle_128b>
  ws.warp_specialize {
    ws.role @store warps(4) threads(%t) {
      scf.if %zero {
        ws.produce %out by threads (%s) {
          ws.local_store %v to %s[%t, 0]
          ws.tma_store %s to %map[0, %j]
        }
      } else {
        ws.produce %out by threads (%s) {
          ws.local_store %w to %s[%t, 0]
          ws.tma_store %s to %map[0, %j]
        }
      }
    }
  }
  ptx.ret
}
