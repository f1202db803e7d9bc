!a = !ws.smem<128x128xf8E4M3FN, k_major, swizzle_128b>
!b = !ws.smem<256x128xf6E3M2FN, k_major, swizzle_128b>
!t = !ws.smem<128x64xf8E4M3FN, k_major, swizzle_64b>
!d = !tcgen05.tmem<128x256xf32>

ptx.kernel @gemm_fp8_silu(%a_map : !ptx.tensor_map<128x128xu8, swizzle_128b>,
                          %b_map : !ptx.tensor_map<256x128xb6x16_p32, swizzle_128b>,
                          %c_map : !ptx.tensor_map<32x64xu8, swizzle_64b>, %bias : i64,
                          %m : i32 {ptx.at_least = 1}, %n : i32 {ptx.at_least = 1},
                          %k : i32 {ptx.at_least = 1, ptx.multiple_of = 128}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %half = arith.constant dense<0.5> : vector<64xf32>
  %blocks = arith.ceildivui %k, %c128 : i32
  %a = ws.alloc : !a
  %b = ws.alloc : !b
  %d = ws.alloc : !d
  %s = ws.alloc : !t
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 256) {
    ws.role @block warps(4) threads(%t) {
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        ws.tma_load %a_map[%i, %block] to %a
        ws.tma_load %b_map[%j, %block] to %b
        %later = arith.cmpi ne, %block, %c0 : i32
        ws.mma %d, %a, %b accumulate %later
      }
      %first_box = arith.muli %j, %c4 : i32
      scf.for %box = %c0 to %c4 step %c1 : i32 {
        %at = arith.muli %box, %c64 : i32
        %column_box = arith.addi %first_box, %box : i32
        %column = arith.muli %column_box, %c64 : i32
        %bias_part = ws.global_load %bias[0, %column] of (%c1, %n) -> vector<64xf32>
        %v = ws.tmem_load %d[%at] -> vector<64xf32>
        %x = arith.addf %v, %bias_part : vector<64xf32>
        %h = arith.mulf %x, %half : vector<64xf32>
        %tanh = math.tanh %h : vector<64xf32>
        %y = math.fma %h, %tanh, %h : vector<64xf32>
        %c = arith.truncf %y : vector<64xf32> to vector<64xf8E4M3FN>
        ws.local_store %c to %s[%t, 0]
        ws.tma_store %s to %c_map[%i, %column_box]
      }
    }
  }
  ptx.ret
}
