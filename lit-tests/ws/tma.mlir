// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!k = !ws.smem<64x128xbf16, k_major, swizzle_128b, mn_first>
!mn = !ws.smem<128x64xf16, mn_major, swizzle_128b, mn_first>
ptx.kernel @loads(%k_map : !ptx.tensor_map<1x64x64xbf16, swizzle_128b>, %mn_map : !ptx.tensor_map<8x64xf16, swizzle_128b>, %n : i32, %out_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>) {
  %ring = ws.ring 2 : !k, !mn
  %out = ws.ring 2 : !k
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%k, %mn) {
        // CHECK: ws.tma_load %k_map[%n, 1, %n] to %k
        // GENERIC: "ws.tma_load"(%k_map, %k, %n, %n) <{static_indices = array<i64: -9223372036854775808, 1, -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}>
        ws.tma_load %k_map[%n, 1, %n] to %k
        // CHECK: ws.tma_load %mn_map at [%n, 0] to %mn
        // GENERIC: "ws.tma_load"(%mn_map, %mn, %n) <{static_indices = array<i64: -9223372036854775808, 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, elements}>
        ws.tma_load %mn_map at [%n, 0] to %mn
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%k, %mn) {
        %v = ws.local_load %k[%t, 120] -> vector<8xbf16>
        %w = ws.local_load %mn[%t, 120] -> vector<8xf16>
        ws.produce %out by threads (%o) {
          ws.local_store %v to %o[%t, 0]
          // CHECK: ws.tma_store %o to %out_map[0, %n]
          // GENERIC: "ws.tma_store"(%out_map, %o, %n) <{static_indices = array<i64: 0, -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
          ws.tma_store %o to %out_map[0, %n]
        }
      }
    }
  }
  ptx.ret
}

!sums = !ws.smem<64x32xf32, k_major, swizzle_128b>
ptx.kernel @reductions(%map : !ptx.tensor_map<64x32xf32, swizzle_128b>, %n : i32) {
  %out = ws.ring 2 : !sums
  %one = arith.constant dense<1.0> : vector<32xf32>
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      ws.produce %out by threads (%o) {
        ws.local_store %one to %o[%t, 0]
        // CHECK: ws.tma_store %o{{.*}} to %map[0, %n{{.*}}] add
        // GENERIC: "ws.tma_store"(%map, %o{{.*}}, %n{{.*}}) <{static_indices = array<i64: 0, -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduction = "add"}>
        ws.tma_store %o to %map[0, %n] add
      }
    }
  }
  ptx.ret
}

!shared = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @multicast(%map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %n : i32) attributes {cluster_dims = array<i32: 1, 2>} {
  %ring = ws.ring 2 : !shared
  ws.warp_specialize tiles(%i) of (%n by 64) {
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        // CHECK: ws.tma_load %map{{.*}}[%i, 0] to %tile{{.*}} multicast(y)
        // GENERIC: "ws.tma_load"(%map{{.*}}, %tile{{.*}}, %i) <{static_indices = array<i64: -9223372036854775808, 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, multicast = "y"}>
        ws.tma_load %map[%i, 0] to %tile multicast(y)
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

!rows = !ws.smem<8x64xbf16, k_major, swizzle_128b>
ptx.kernel @rows(%map : !ptx.tensor_map<1x64xbf16, swizzle_128b>, %list : i64, %one : i32, %n : i32) {
  %ring = ws.ring 2 : !rows
  %out = ws.ring 1 : !rows
  ws.warp_specialize {
    ws.role @load warps(1) {
      %all = ws.global_load %list[0, 0] of (%one, %n) -> vector<8xi32>
      ws.produce %ring by tma (%tile) {
        // CHECK: ws.tma_load %map{{.*}}[rows %all, %n{{.*}}] to %tile
        // GENERIC: "ws.tma_load"(%map{{.*}}, %tile{{.*}}, %n{{.*}}, %all) <{static_indices = array<i64: -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}>
        ws.tma_load %map[rows %all, %n] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[0, 0] -> vector<8xbf16>
        ws.produce %out by threads (%o) {
          ws.local_store %v to %o[0, 0]
          // CHECK: ws.tma_store %o{{.*}} to %map{{.*}} at [rows(%n{{.*}}, %n{{.*}}, %one, %one, %one, %one, %one, %one), 64]
          ws.tma_store %o to %map at [rows(%n, %n, %one, %one, %one, %one, %one, %one), 64]
        }
      }
    }
  }
  ptx.ret
}
