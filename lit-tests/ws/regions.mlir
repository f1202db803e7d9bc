// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @regions(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %out : i64, %n : i32) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      // CHECK: ws.produce %ring by tma (%tile) {
      // GENERIC: "ws.produce"(%ring) <{by = "tma"}> ({
      // GENERIC-NEXT: ^{{.*}}(%tile: !ws.smem<64x64xbf16, k_major, swizzle_128b>):
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[0, 0] to %tile
        // CHECK-NOT: ws.yield
        // GENERIC: "ws.yield"() : () -> ()
      }
    }
    ws.role @store warps(2) threads(%t) {
      // CHECK: %v = ws.consume %ring by threads (%tile{{.*}}) -> vector<8xbf16> {
      // GENERIC: %v = "ws.consume"(%ring) <{by = "threads"}> ({
      %v = ws.consume %ring by threads (%tile) -> vector<8xbf16> {
        %row = ws.local_load %tile[%t, 0] -> vector<8xbf16>
        // CHECK: ws.yield %row{{$}}
        // GENERIC: "ws.yield"(%row) : (vector<8xbf16>) -> ()
        ws.yield %row
      }
      %column = arith.constant 0 : i32
      ws.global_store %v to %out[%t, %column] of (%n, %n)
    }
  }
  ptx.ret
}
