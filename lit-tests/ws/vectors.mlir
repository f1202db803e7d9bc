// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!tile = !ws.smem<128x64xf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @vectors(%in : i64, %m : i32, %n : i32) {
  %rows = ws.ring 2 : !tile
  %cells = ws.ring 2 : !d
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %five = arith.constant 5 : i32
  %sixteen = arith.constant 16 : i32
  ws.warp_specialize {
    ws.role @write warps(4) threads(%t) {
      // CHECK: %v = ws.global_load %in[%t, %zero] of (%m, %n) -> vector<8xf16>
      // GENERIC: %v = "ws.global_load"(%in, %m, %n, %t, %zero) <{static_indices = array<i64: -9223372036854775808, -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 2>}>
      %v = ws.global_load %in[%t, %zero] of (%m, %n) -> vector<8xf16>
      ws.produce %rows by threads (%tile) {
        // CHECK: ws.local_store %v to %tile[%t, 8]
        // GENERIC: "ws.local_store"(%v, %tile, %t) <{static_indices = array<i64: -9223372036854775808, 8>}>
        ws.local_store %v to %tile[%t, 8]
      }
      ws.produce %cells by threads (%d) {
        %x = arith.extf %v : vector<8xf16> to vector<8xf32>
        // CHECK: ws.tmem_store %x to %d[56]
        // GENERIC: "ws.tmem_store"(%x, %d) <{static_indices = array<i64: 56>}>
        ws.tmem_store %x to %d[56]
      }
    }
    ws.role @read warps(4) threads(%t) {
      ws.consume %rows by threads (%tile) {
        // CHECK: ws.local_load %tile{{.*}}[%t{{.*}}, 8] -> vector<8xf16>
        // GENERIC: "ws.local_load"(%tile{{.*}}, %t{{.*}}) <{static_indices = array<i64: -9223372036854775808, 8>}>
        %v = ws.local_load %tile[%t, 8] -> vector<8xf16>
        // CHECK: ws.global_store %v{{.*}} to %in[%t{{.*}}, %n] of (%m, %n)
        // GENERIC: "ws.global_store"(%v{{.*}}, %in, %m, %n, %t{{.*}}, %n)
        ws.global_store %v to %in[%t, %n] of (%m, %n)
        // CHECK: %w{{.*}} = ws.global_load %in[%t{{.*}}, 8] of (%m, %n) stride %zero -> vector<8xf16>
        // GENERIC: "ws.global_load"(%in, %m, %n, %zero, %t{{.*}}) <{static_indices = array<i64: -9223372036854775808, 8>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}>
        %w = ws.global_load %in[%t, 8] of (%m, %n) stride %zero -> vector<8xf16>
        // CHECK: ws.global_store %w{{.*}} to %in[0, %n] of (%m, %n) stride %m
        // GENERIC: "ws.global_store"(%w{{.*}}, %in, %m, %n, %m, %n)
        ws.global_store %w to %in[0, %n] of (%m, %n) stride %m
      }
      ws.consume %cells by threads (%d) {
        // CHECK: ws.tmem_load %d{{.*}}[%zero] -> vector<16xf32>
        // GENERIC: "ws.tmem_load"(%d{{.*}}, %zero) <{static_indices = array<i64: -9223372036854775808>}>
        %x = ws.tmem_load %d[%zero] -> vector<16xf32>
        // A condition may keep the threads and iterations inside of a buffer.
        scf.for %i = %zero to %five step %one : i32 {
          %column = arith.muli %i, %sixteen : i32
          %is_inside = arith.cmpi ult, %i, %four : i32
          scf.if %is_inside {
            %part = ws.tmem_load %d[%column] -> vector<16xf32>
          }
        }
      }
    }
  }
  ptx.ret
}
