// Causal attention forward: a query sees the keys up to its own position. Persistent: each CTA takes
// one tile of 128 queries of a head after the other, with as many blocks of keys as it needs.
//
// Warps 0 to 3 compute the softmax, one query per thread. They hand the factor by which the maximum of
// a row has grown to warps 4 to 7, which scale O in place, divide it by the sum at the end, and store
// it. Warp 8 loads, and warp 9 multiplies. Softmax takes the registers that the others give up.

!q = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!k = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!q_box = !ptx.tensor_map<1x128x64xbf16, swizzle_128b>
!k_box = !ptx.tensor_map<1x128x64xbf16, swizzle_128b>

ptx.kernel @attention_causal(%q_map : !q_box, %k_map : !k_box, %v_map : !k_box, %o_map : !q_box,
                             %n : i32 {ptx.at_least = 1}, %heads : i32 {ptx.at_least = 1},
                             %scale : f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lowest = arith.constant -1.0e38 : f32
  %zero = arith.constant 0.0 : f32
  %q_ring = ws.ring 1 : !q
  %k_ring = ws.ring 2 : !k
  %v_ring = ws.ring 2 : !ws.smem<64x128xbf16, mn_major, swizzle_128b>
  %s_ring = ws.ring 2 : !tcgen05.tmem<128x128xf32>
  %p_ring = ws.ring 1 : !tcgen05.tmem<128x128xbf16, a>
  %factor_ring = ws.ring 2 : !tcgen05.tmem<128x1xf32>
  %o_ring = ws.ring 1 in_place : !tcgen05.tmem<128x64xf32>
  %out_ring = ws.ring 1 : !q
  ws.warp_specialize tiles(%i, %head) of (%n by 128, %heads by 1) persistent {
    %blocks = arith.addi %i, %c1 : i32
    ws.role @load warps(1) registers(64) {
      ws.produce %q_ring by tma (%q) { ws.tma_load %q_map[%head, %i, 0] to %q }
      scf.for %j = %c0 to %blocks step %c1 : i32 {
        ws.produce %k_ring by tma (%k) { ws.tma_load %k_map[%head, %j, 0] to %k }
        ws.produce %v_ring by tma (%v) { ws.tma_load %v_map[%head, %j, 0] to %v }
      }
    }
    ws.role @mma warps(1) registers(64) {
      ws.consume %q_ring by mma (%q) {
        ws.consume %k_ring by mma (%k) { ws.produce %s_ring by mma (%s) { ws.mma %s, %q, %k } }
        scf.for %j = %c0 to %blocks step %c1 : i32 {
          %more = arith.cmpi ult, %j, %i : i32
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
    ws.role @softmax warps(4) threads(%t) registers(232) {
      %seen = arith.addi %t, %c1 : i32
      %scales = vector.broadcast %scale : f32 to vector<128xf32>
      %max, %sum = scf.for %j = %c0 to %blocks step %c1
          iter_args(%max_0 = %lowest, %sum_0 = %zero) -> (f32, f32) : i32 {
        %scores = ws.consume %s_ring by threads (%s) -> vector<128xf32> {
          %row = ws.tmem_load %s[0] -> vector<128xf32>
          ws.yield %row
        }
        %is_diagonal = arith.cmpi eq, %j, %i : i32
        %x = scf.if %is_diagonal -> (vector<128xf32>) {
          %masked = ws.keep_first %seen of %scores else %lowest
          scf.yield %masked : vector<128xf32>
        } else {
          scf.yield %scores : vector<128xf32>
        }
        %max_1 = vector.reduction <maxnumf>, %x, %max_0 : vector<128xf32> into f32
        %grown = arith.subf %max_0, %max_1 : f32
        %exponent = arith.mulf %grown, %scale : f32
        %factor = math.exp2 %exponent fastmath<afn> : f32
        %f = vector.broadcast %factor : f32 to vector<1xf32>
        ws.produce %factor_ring by threads (%d) { ws.tmem_store %f to %d[0] }
        %scaled = arith.mulf %max_1, %scale : f32
        %negated = arith.negf %scaled : f32
        %shifts = vector.broadcast %negated : f32 to vector<128xf32>
        %shifted = math.fma %x, %scales, %shifts : vector<128xf32>
        %y = math.exp2 %shifted fastmath<afn> : vector<128xf32>
        %h = arith.truncf %y : vector<128xf32> to vector<128xbf16>
        ws.produce %p_ring by threads (%p) { ws.tmem_store %h to %p[0] }
        %row_sum = vector.reduction <add>, %y fastmath<reassoc> : vector<128xf32> into f32
        %sum_1 = math.fma %sum_0, %factor, %row_sum : f32
        scf.yield %max_1, %sum_1 : f32, f32
      }
      %inverse = ptx.rcp approx ftz f32 %sum
      %f = vector.broadcast %inverse : f32 to vector<1xf32>
      ws.produce %factor_ring by threads (%d) { ws.tmem_store %f to %d[0] }
    }
    ws.role @correct warps(4) threads(%t) registers(192) {
      scf.for %j = %c0 to %blocks step %c1 : i32 {
        %later = arith.cmpi ne, %j, %c0 : i32
        ws.consume %factor_ring by threads (%d) {
          %f = ws.tmem_load %d[0] -> vector<1xf32>
          scf.if %later {
            %factors = vector.broadcast %f : vector<1xf32> to vector<64xf32>
            ws.consume %o_ring by threads (%o) {
              %old = ws.tmem_load %o[0] -> vector<64xf32>
              %new = arith.mulf %old, %factors : vector<64xf32>
              ws.tmem_store %new to %o[0]
            }
          }
        }
      }
      ws.consume %factor_ring by threads (%d) {
        %f = ws.tmem_load %d[0] -> vector<1xf32>
        %factors = vector.broadcast %f : vector<1xf32> to vector<64xf32>
        ws.consume %o_ring by threads (%o) {
          %row = ws.tmem_load %o[0] -> vector<64xf32>
          %y = arith.mulf %row, %factors : vector<64xf32>
          %h = arith.truncf %y : vector<64xf32> to vector<64xbf16>
          ws.produce %out_ring by threads (%out) {
            ws.local_store %h to %out[%t, 0]
            ws.tma_store %out to %o_map[%head, %i, 0]
          }
        }
      }
    }
  }
  ptx.ret
}
