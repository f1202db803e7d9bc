!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_multicast(%a_map : !ptx.tensor_map<64x64xbf16, swizzle_128b>,
                           %b_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64,
                           %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                           %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8})
    attributes {cluster_dims = array<i32: 2, 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %blocks = arith.ceildivui %k, %c64 : i32
  %a = ws.alloc : !a
  %b = ws.alloc : !b
  %d = ws.alloc : !d
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) group(8) {
    ws.role @block warps(4) threads(%t) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.tma_load %a_map[%i, %block] to %a multicast(y)
        ws.tma_load %b_map[%j, %block] to %b multicast(x)
        %later = arith.cmpi ne, %block, %c0 : i32
        ws.mma %d, %a, %b accumulate %later
      }
      %first_row = arith.muli %i, %c128 : i32
      %row = arith.addi %first_row, %t : i32
      %first_column = arith.muli %j, %c256 : i32
      scf.for %at = %c0 to %c256 step %c32 : i32 {
        %v = ws.tmem_load %d[%at] -> vector<32xf32>
        %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
        %column = arith.addi %first_column, %at : i32
        ws.global_store %h to %c[%row, %column] of (%m, %n)
      }
    }
  }
  ptx.ret
}
