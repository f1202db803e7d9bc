// A matrix product in which stages are held by tokens: C = A * B^T, with A: M x K, B: N x K and
// C: M x N, all bf16 and row-major; sums are f32. M and N are any positive numbers, K is a multiple
// of 8.
//
// Tokens are for holdings that do not nest. The role @mma gives each stage back after it has issued
// the products of the next one, so the loop carries a token. The role @epilogue releases the
// accumulator between its last load and its last store.

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_tokens(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                        %b_map : !ptx.tensor_map<256x64xbf16, swizzle_128b>, %c : i64,
                        %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                        %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c64 : i32
  %ab = ws.ring 4 : !a, !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) {
    ws.role @load warps(1) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.produce %ab by tma (%sa, %sb) {
          ws.tma_load %a_map[%i, %block] to %sa
          ws.tma_load %b_map[%j, %block] to %sb
        }
      }
    }
    ws.role @mma warps(1) {
      %sums, %d = ws.producer_acquire %acc by mma
      %first, %a0, %b0 = ws.consumer_wait %ab by mma
      ws.mma %d, %a0, %b0
      %last = scf.for %block = %c1 to %blocks step %c1
          iter_args(%held = %first) -> (!ws.token<consume>) : i32 {
        %next, %sa, %sb = ws.consumer_wait %ab by mma
        ws.mma %d, %sa, %sb
        ws.consumer_release %held
        scf.yield %next : !ws.token<consume>
      }
      ws.consumer_release %last
      ws.producer_commit %sums
    }
    ws.role @epilogue warps(4) threads(%t) {
      %first_row = arith.muli %i, %c128 : i32
      %row = arith.addi %first_row, %t : i32
      %first_column = arith.muli %j, %c256 : i32
      %sums, %d = ws.consumer_wait %acc by threads
      %v0 = ws.tmem_load %d[0] -> vector<32xf32>
      %at, %v = scf.for %next = %c32 to %c256 step %c32
          iter_args(%at = %first_column, %v = %v0) -> (i32, vector<32xf32>) : i32 {
        %following = ws.tmem_load %d[%next] -> vector<32xf32>
        %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
        ws.global_store %h to %c[%row, %at] of (%m, %n)
        %column = arith.addi %at, %c32 : i32
        scf.yield %column, %following : i32, vector<32xf32>
      }
      ws.consumer_release %sums
      %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
      ws.global_store %h to %c[%row, %at] of (%m, %n)
    }
  }
  ptx.ret
}
