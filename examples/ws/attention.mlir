// Attention forward: O = softmax(Q K^T) V for each head of 64 elements, with blocks of 128 queries and
// 128 keys; a score s has the weight exp2(scale * s). While softmax works on one block of scores, the
// tensor cores compute the next one.
//
// Warps 0 to 3 compute the softmax, one query per thread, and scale O in place where the maximum of a
// row has grown; warp 4 loads, and warp 5 multiplies. P stays in tensor memory as A of P V.

!q = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!k = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!v = !ws.smem<64x128xbf16, mn_major, swizzle_128b>
!s = !tcgen05.tmem<128x128xf32>
!p = !tcgen05.tmem<128x128xbf16, a>
!o = !tcgen05.tmem<128x64xf32>
!q_box = !ptx.tensor_map<1x128x64xbf16, swizzle_128b>
!k_box = !ptx.tensor_map<1x128x64xbf16, swizzle_128b>

ptx.kernel @attention(%q_map : !q_box, %k_map : !k_box, %v_map : !k_box, %o_map : !q_box,
                      %queries : i32 {ptx.at_least = 1}, %keys : i32 {ptx.at_least = 1},
                      %heads : i32 {ptx.at_least = 1}, %scale : f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %lowest = arith.constant -1.0e38 : f32
  %zero = arith.constant 0.0 : f32
  %blocks = arith.ceildivui %keys, %c128 : i32
  %q_ring = ws.ring 1 : !q
  %k_ring = ws.ring 2 : !k
  %v_ring = ws.ring 2 : !v
  %s_ring = ws.ring 2 : !s
  %p_ring = ws.ring 1 : !p
  %o_ring = ws.ring 1 in_place : !o
  %out_ring = ws.ring 1 : !q
  ws.warp_specialize tiles(%i, %head) of (%queries by 128, %heads by 1) {
    ws.role @load warps(1) {
      ws.produce %q_ring by tma (%q) { ws.tma_load %q_map[%head, %i, 0] to %q }
      scf.for %j = %c0 to %blocks step %c1 : i32 {
        ws.produce %k_ring by tma (%k) { ws.tma_load %k_map[%head, %j, 0] to %k }
        ws.produce %v_ring by tma (%v) { ws.tma_load %v_map[%head, %j, 0] to %v }
      }
    }
    ws.role @mma warps(1) {
      ws.consume %q_ring by mma (%q) {
        ws.consume %k_ring by mma (%k) { ws.produce %s_ring by mma (%s) { ws.mma %s, %q, %k } }
        scf.for %j = %c0 to %blocks step %c1 : i32 {
          %next = arith.addi %j, %c1 : i32
          %more = arith.cmpi ult, %next, %blocks : i32
          scf.if %more {
            ws.consume %k_ring by mma (%k) { ws.produce %s_ring by mma (%s) { ws.mma %s, %q, %k } }
          }
          %later = arith.cmpi ne, %j, %c0 : i32
          ws.consume %p_ring by mma (%p) {
            ws.consume %v_ring by mma (%v) {
              ws.produce %o_ring by mma (%o) { ws.mma %o, %p, %v accumulate %later }
            }
          }
        }
      }
    }
    ws.role @softmax warps(4) threads(%t) {
      %scales = vector.broadcast %scale : f32 to vector<128xf32>
      %max, %sum = scf.for %j = %c0 to %blocks step %c1
          iter_args(%max_0 = %lowest, %sum_0 = %zero) -> (f32, f32) : i32 {
        %scores = ws.consume %s_ring by threads (%s) -> vector<128xf32> {
          %row = ws.tmem_load %s[0] -> vector<128xf32>
          ws.yield %row
        }
        %first = arith.muli %j, %c128 : i32
        %seen = arith.subi %keys, %first : i32
        %is_last = arith.cmpi slt, %seen, %c128 : i32
        %x = scf.if %is_last -> (vector<128xf32>) {
          %masked = ws.keep_first %seen of %scores else %lowest
          scf.yield %masked : vector<128xf32>
        } else {
          scf.yield %scores : vector<128xf32>
        }
        %max_1 = vector.reduction <maxnumf>, %x, %max_0 : vector<128xf32> into f32
        %grown = arith.subf %max_0, %max_1 : f32
        %exponent = arith.mulf %grown, %scale : f32
        %alpha = math.exp2 %exponent fastmath<afn> : f32
        %scaled = arith.mulf %max_1, %scale : f32
        %negated = arith.negf %scaled : f32
        %shifts = vector.broadcast %negated : f32 to vector<128xf32>
        %shifted = math.fma %x, %scales, %shifts : vector<128xf32>
        %y = math.exp2 %shifted fastmath<afn> : vector<128xf32>
        %h = arith.truncf %y : vector<128xf32> to vector<128xbf16>
        ws.produce %p_ring by threads (%p) { ws.tmem_store %h to %p[0] }
        %later = arith.cmpi ne, %j, %c0 : i32
        scf.if %later {
          %alphas = vector.broadcast %alpha : f32 to vector<32xf32>
          ws.consume %o_ring by threads (%o) {
            scf.for %at = %c0 to %c64 step %c32 : i32 {
              %old = ws.tmem_load %o[%at] -> vector<32xf32>
              %new = arith.mulf %old, %alphas : vector<32xf32>
              ws.tmem_store %new to %o[%at]
            }
          }
        }
        %row_sum = vector.reduction <add>, %y fastmath<reassoc> : vector<128xf32> into f32
        %old_sum = arith.mulf %sum_0, %alpha : f32
        %sum_1 = arith.addf %old_sum, %row_sum : f32
        scf.yield %max_1, %sum_1 : f32, f32
      }
      %inverse = ptx.rcp approx ftz f32 %sum
      %inverses = vector.broadcast %inverse : f32 to vector<64xf32>
      %row = ws.consume %o_ring by threads (%o) -> vector<64xf32> {
        %y = ws.tmem_load %o[0] -> vector<64xf32>
        ws.yield %y
      }
      %y = arith.mulf %row, %inverses : vector<64xf32>
      %h = arith.truncf %y : vector<64xf32> to vector<64xbf16>
      ws.produce %out_ring by threads (%out) {
        ws.local_store %h to %out[%t, 0]
        ws.tma_store %out to %o_map[%head, %i, 0]
      }
    }
  }
  ptx.ret
}
