// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

ptx.kernel @masks(%in : i64, %m : i32, %n : i32, %lowest : f32) {
  ws.warp_specialize {
    ws.role @mask warps(1) threads(%t) {
      %v = ws.global_load %in[%t, 0] of (%m, %n) -> vector<8xf32>
      // CHECK: %{{.*}} = ws.keep_first %t of %v else %lowest
      // GENERIC: %{{.*}} = "ws.keep_first"(%{{.*}}, %v, %lowest) : (i32, vector<8xf32>, f32) -> vector<8xf32>
      %kept = ws.keep_first %t of %v else %lowest
      ws.global_store %kept to %in[%t, 0] of (%m, %n)
    }
  }
  ptx.ret
}
