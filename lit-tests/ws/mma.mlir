// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, mn_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @mma(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %n : i32) {
  %first = arith.cmpi eq, %n, %n : i32
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%a, %b) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %ab by mma (%a, %b) {
          // CHECK: ws.mma %d, %a{{.*}}, %b{{[^ ]*$}}
          // GENERIC: "ws.mma"(%d, %a{{.*}}, %b{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}> : (!tcgen05.tmem<128x64xf32>, !ws.smem<128x64xbf16, k_major, swizzle_128b>, !ws.smem<64x64xbf16, mn_major, swizzle_128b>) -> ()
          ws.mma %d, %a, %b
          // CHECK: ws.mma %d, %a{{.*}}, %b{{.*}} accumulate %first
          ws.mma %d, %a, %b accumulate %first
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}
