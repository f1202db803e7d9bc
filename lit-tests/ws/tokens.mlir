// RUN: tcgen05-opt %s | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @tokens(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %ring = ws.ring 2 : !tile, !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        // CHECK: %free, %a, %b = ws.producer_acquire %ring by tma
        // GENERIC: %free, %a, %b = "ws.producer_acquire"(%ring) <{by = "tma"}> : ({{.*}}) -> (!ws.token<produce>, !ws.smem<64x64xbf16, k_major, swizzle_128b>, !ws.smem<64x64xbf16, k_major, swizzle_128b>)
        %free, %a, %b = ws.producer_acquire %ring by tma
        ws.tma_load %map[0, 0] to %a
        ws.tma_load %map[1, 0] to %b
        // CHECK: ws.producer_commit %free
        // GENERIC: "ws.producer_commit"(%free) : (!ws.token<produce>) -> ()
        ws.producer_commit %free
      }
    }
    ws.role @use warps(2) threads(%t) {
      // CHECK: %first, %a{{.*}}, %b{{.*}} = ws.consumer_wait %ring by threads
      // GENERIC: %first, %a{{.*}}, %b{{.*}} = "ws.consumer_wait"(%ring) <{by = "threads"}>
      %first, %a, %b = ws.consumer_wait %ring by threads
      %u = ws.local_load %a[%t, 0] -> vector<8xbf16>
      // CHECK: iter_args(%held = %first, %c = %b{{.*}})
      %last, %d = scf.for %i = %c1 to %c4 step %c1
          iter_args(%held = %first, %c = %b) -> (!ws.token<consume>, !tile) : i32 {
        %next, %e, %f = ws.consumer_wait %ring by threads
        %v = ws.local_load %c[%t, 0] -> vector<8xbf16>
        %w = ws.local_load %e[%t, 0] -> vector<8xbf16>
        // CHECK: %empty = ws.mbarrier %held empty
        // GENERIC: %empty = "ws.mbarrier"(%held) <{barrier = "empty"}> : (!ws.token<consume>) -> i32
        %empty = ws.mbarrier %held empty
        // CHECK: ws.consumer_release %held
        // GENERIC: "ws.consumer_release"(%held) : (!ws.token<consume>) -> ()
        ws.consumer_release %held
        scf.yield %next, %f : !ws.token<consume>, !tile
      }
      %x = ws.local_load %d[%t, 0] -> vector<8xbf16>
      ws.consumer_release %last
    }
  }
  ptx.ret
}
