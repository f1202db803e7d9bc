// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!tile = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!bias = !ws.smem<8x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @rings(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %bias_map : !ptx.tensor_map<8x64xbf16, swizzle_128b>) {
  // CHECK: %in = ws.ring 3 : !ws.smem<128x64xbf16, k_major, swizzle_128b>, !ws.smem<8x64xbf16, k_major, swizzle_128b>{{$}}
  // GENERIC: %in = "ws.ring"() : () -> !ws.ring<3 x (!ws.smem<128x64xbf16, k_major, swizzle_128b>, !ws.smem<8x64xbf16, k_major, swizzle_128b>)>
  %in = ws.ring 3 : !tile, !bias
  // CHECK: %turn = ws.ring 1 in_place : !tcgen05.tmem<128x64xf32>
  // GENERIC: %turn = "ws.ring"() <{in_place}> : () -> !ws.ring<1 x (!tcgen05.tmem<128x64xf32>)>
  %turn = ws.ring 1 in_place : !d
  // CHECK: %scratch = ws.alloc : !ws.smem<128x64xbf16, k_major, swizzle_128b>
  // GENERIC: %scratch = "ws.alloc"() : () -> !ws.smem<128x64xbf16, k_major, swizzle_128b>
  %scratch = ws.alloc : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%tile, %bias) {
        ws.tma_load %map[0, 0] to %tile
        ws.tma_load %bias_map[0, 0] to %bias
      }
    }
    ws.role @add warps(4) threads(%t) {
      ws.consume %in by threads (%tile, %bias) {
        %v = ws.local_load %tile[%t, 0] -> vector<64xbf16>
        %w = ws.local_load %bias[0, 0] -> vector<64xbf16>
        %sum = arith.addf %v, %w : vector<64xbf16>
        ws.local_store %sum to %scratch[%t, 0]
        %x = arith.extf %sum : vector<64xbf16> to vector<64xf32>
        ws.produce %turn by threads (%d) {
          ws.tmem_store %x to %d[0]
        }
      }
    }
    ws.role @read warps(4) threads(%t) {
      ws.consume %turn by threads (%d) {
        %x = ws.tmem_load %d[0] -> vector<64xf32>
        ws.tmem_store %x to %d[0]
      }
    }
  }
  ptx.ret
}
