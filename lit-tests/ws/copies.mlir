// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-ws | filecheck %s --check-prefix LOWERED

!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!b = !ws.smem<64x128xf8E4M3FN, k_major, swizzle_128b>
!sa = !ws.smem<128x4xf8E8M0FNU, scale>
!sb = !ws.smem<64x4xf8E8M0FNU, scale>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @copies(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                    %b_map : !ptx.tensor_map<64x128xu8, swizzle_128b>,
                    %s_map : !ptx.tensor_map<1x1x32x16xu8>) {
  %in = ws.ring 2 : !a, !b, !sa, !sb
  %acc = ws.ring 1 : !d
  %ta = ws.alloc : !tcgen05.tmem<128x4xf8E8M0FNU, scale>
  %tb = ws.alloc : !tcgen05.tmem<64x4xf8E8M0FNU, scale>
  ws.warp_specialize {
    ws.role @load warps(1) {
      ws.produce %in by tma (%a, %b, %fa, %fb) {
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %b_map[0, 0] to %b
        ws.tma_load %s_map[0, 0] to %fa
        ws.tma_load %s_map[0, 0] to %fb
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        ws.consume %in by mma (%a, %b, %fa, %fb) {
          // CHECK: ws.tmem_copy %fa{{.*}} to %ta
          // GENERIC: "ws.tmem_copy"(%fa{{.*}}, %ta) : (!ws.smem<128x4xf8E8M0FNU, scale>, !tcgen05.tmem<128x4xf8E8M0FNU, scale>) -> ()
          // LOWERED: tcgen05.cp shape_32x128b warpx4 %{{[0-9]+}}, %{{[0-9]+}} : !tcgen05.tmem<128x4xi32>, !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
          ws.tmem_copy %fa to %ta
          // CHECK: ws.tmem_copy %fb{{.*}} to %tb
          ws.tmem_copy %fb to %tb
          // CHECK: ws.mma %d, %a{{.*}}, %b{{.*}} scales(%ta, %tb)
          // LOWERED: tcgen05.mma.block_scale %d{{.*}}, {{.*}} scales %{{[0-9]+}}, %{{[0-9]+}} accumulate {{.*}}idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>
          // LOWERED: tcgen05.mma.block_scale {{.*}}[id = 1], %{{[0-9]+}}[id = 1] accumulate
          ws.mma %d, %a, %b scales(%ta, %tb)
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
