!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!t = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                      %b_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                      %c_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>,
                      %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                      %k : i32 {ptx.at_least = 1, ptx.multiple_of = 8})
    attributes {cluster_dims = array<i32: 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %blocks = arith.ceildivui %k, %c64 : i32
  %a = ws.alloc : !a
  %b = ws.alloc : !b
  %d = ws.alloc : !d
  %s = ws.alloc : !t
  ws.warp_specialize pair tiles(%i, %j) of (%m by 256, %n by 256) persistent {
    ws.role @block warps(4) threads(%t) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.tma_load %a_map[half %i, %block] to %a
        ws.tma_load %b_map[half %j, %block] to %b
        %later = arith.cmpi ne, %block, %c0 : i32
        ws.mma %d, %a, %b accumulate %later
      }
      %first_box = arith.muli %j, %c4 : i32
      scf.for %box = %c0 to %c4 step %c1 : i32 {
        %at = arith.muli %box, %c64 : i32
        %v = ws.tmem_load %d[%at] -> vector<64xf32>
        %h = arith.truncf %v : vector<64xf32> to vector<64xbf16>
        ws.local_store %h to %s[%t, 0]
        %column = arith.addi %first_box, %box : i32
        ws.tma_store %s to %c_map[half %i, %column]
      }
    }
  }
  ptx.ret
}
