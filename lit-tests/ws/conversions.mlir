// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p ws-unroll-vectors | filecheck %s --check-prefix UNROLLED

ptx.kernel @conversions(%p : i64, %m : i32) {
  %c0 = arith.constant 0 : i32
  ws.warp_specialize {
    ws.role @convert warps(1) threads(%t) {
      %v = ws.global_load %p[%t, 0] of (%m, %m) -> vector<2xi32>
      // CHECK: %{{.*}} = ws.sitofp %v -> vector<2xf32>
      // GENERIC: %{{.*}} = "ws.sitofp"(%v) : (vector<2xi32>) -> vector<2xf32>
      // UNROLLED: arith.sitofp %{{.*}} : i32 to f32
      // UNROLLED-NEXT: arith.sitofp %{{.*}} : i32 to f32
      %x = ws.sitofp %v -> vector<2xf32>
      ws.global_store %x to %p[%t, 0] of (%m, %m)
      %b = ws.global_load %p[%t, 0] of (%m, %m) -> vector<4xui8>
      // CHECK: %{{.*}} = ws.uitofp %b -> vector<4xbf16>
      // GENERIC: %{{.*}} = "ws.uitofp"(%b) : (vector<4xui8>) -> vector<4xbf16>
      // UNROLLED: arith.uitofp %{{.*}} : i32 to f32
      %y = ws.uitofp %b -> vector<4xbf16>
      ws.global_store %y to %p[%t, 0] of (%m, %m)
    }
  }
  ptx.ret
}
