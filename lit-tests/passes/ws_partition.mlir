// RUN: tcgen05-opt %s -p ws-partition --split-input-file | filecheck %s
// RUN: tcgen05-opt %s -p 'ws-partition{stages=2}' --split-input-file | filecheck %s --check-prefix TWO

// A role for each kind of operation, a ring for the tiles that are loaded together, and the
// accumulator produced around the loop. The product needs no condition any more.
// CHECK: ptx.kernel @product(
// CHECK: %a_b_ring = ws.ring 4 : !ws.smem<128x64xbf16, k_major, swizzle_128b>, !ws.smem<128x64xbf16, k_major, swizzle_128b>
// CHECK-NEXT: %d_ring = ws.ring 1 : !tcgen05.tmem<128x128xf32>
// CHECK-NEXT: ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 128) {
// CHECK-NEXT: ws.role @load warps(1) {
// CHECK-NEXT: scf.for %block = %c0 to %k step %c1 : i32 {
// CHECK-NEXT: ws.produce %a_b_ring by tma (%a, %b) {
// CHECK-NEXT: ws.tma_load %map[%i, %block] to %a
// CHECK-NEXT: ws.tma_load %map[%j, %block] to %b
// CHECK: ws.role @mma warps(1) {
// CHECK-NEXT: ws.produce %d_ring by mma (%d) {
// CHECK-NEXT: scf.for %block_1 = %c0 to %k step %c1 : i32 {
// CHECK-NEXT: ws.consume %a_b_ring by mma (%a_1, %b_1) {
// CHECK-NEXT: ws.mma %d, %a_1, %b_1
// CHECK: ws.role @epilogue warps(4) threads(%t) {
// CHECK-NEXT: %first = arith.muli %i, %c128 : i32
// CHECK-NEXT: %row = arith.addi %first, %t : i32
// CHECK-NEXT: %v = ws.consume %d_ring by threads (%d_1) -> vector<128xf32> {
// CHECK-NEXT: %v_1 = ws.tmem_load %d_1[0] -> vector<128xf32>
// CHECK-NEXT: ws.yield %v_1
// CHECK-NEXT: }
// CHECK-NEXT: ws.global_store %v to %c[%row, 0] of (%m, %n)
// TWO: %a_b_ring = ws.ring 2 :
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
ptx.kernel @product(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64, %m : i32,
                    %n : i32, %k : i32 {ptx.at_least = 1}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  ws.warp_specialize tiles(%i, %j) of (%m by 128, %n by 128) {
    ws.role @block warps(4) threads(%t) {
      %a = ws.alloc : !a
      %b = ws.alloc : !a
      %d = ws.alloc : !d
      scf.for %block = %c0 to %k step %c1 : i32 {
        ws.tma_load %map[%i, %block] to %a
        ws.tma_load %map[%j, %block] to %b
        %later = arith.cmpi ne, %block, %c0 : i32
        ws.mma %d, %a, %b accumulate %later
      }
      %first = arith.muli %i, %c128 : i32
      %row = arith.addi %first, %t : i32
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%row, 0] of (%m, %n)
    }
  }
  ptx.ret
}

// -----

// Threads scale the accumulator between products: its ring has in_place, and the first iteration
// has no turn of the threads. What a loop carries stays in the role that needs it.
// CHECK: ptx.kernel @in_place(
// CHECK: %d_ring = ws.ring 1 in_place : !tcgen05.tmem<128x64xf32>
// CHECK: ws.role @load warps(1) {
// CHECK: scf.for %{{.*}} = %c0 to %n step %c1 : i32 {
// CHECK: ws.role @mma warps(1) {
// CHECK: scf.for %i{{.*}} = %c0 to %n step %c1 : i32 {
// CHECK-NEXT: %later{{.*}} = arith.cmpi ne,
// CHECK-NEXT: ws.consume %a_b_ring by mma (%{{.*}}, %{{.*}}) {
// CHECK-NEXT: ws.produce %d_ring by mma (%{{.*}}) {
// CHECK-NEXT: ws.mma %{{.*}}, %{{.*}}, %{{.*}} accumulate %later
// CHECK: ws.role @epilogue warps(4) threads(%t) {
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %n step %c1 iter_args(
// CHECK: scf.if %later
// CHECK-NEXT: ws.consume %d_ring by threads (
// CHECK-NEXT: ws.tmem_load
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @in_place(%x : !ptx.tensor_map<128x64xbf16, swizzle_128b>,
                     %y : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %c : i64, %factor : f32,
                     %n : i32 {ptx.at_least = 1}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %a = ws.alloc : !a
  %b = ws.alloc : !b
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%power = %factor) -> (f32) : i32 {
        ws.tma_load %x[0, %i] to %a
        ws.tma_load %y[0, %i] to %b
        %later = arith.cmpi ne, %i, %c0 : i32
        %next = arith.mulf %power, %factor : f32
        scf.if %later {
          %old = ws.tmem_load %d[0] -> vector<64xf32>
          %powers = vector.broadcast %next : f32 to vector<64xf32>
          %new = arith.mulf %old, %powers : vector<64xf32>
          ws.tmem_store %new to %d[0]
        }
        ws.mma %d, %a, %b accumulate %later
        scf.yield %next : f32
      }
      %v = ws.tmem_load %d[0] -> vector<64xf32>
      %lasts = vector.broadcast %last : f32 to vector<64xf32>
      %w = arith.mulf %v, %lasts : vector<64xf32>
      ws.global_store %w to %c[%t, 0] of (%c128, %c64)
    }
  }
  ptx.ret
}

// -----

// Threads exchange rows through shared memory: barriers of the role are around the store.
// CHECK: ptx.kernel @exchange(
// CHECK: %s = ws.alloc : !ws.smem<128x64xbf16, k_major, swizzle_128b>
// CHECK: ws.role @epilogue warps(4) threads(%t) {
// CHECK: ws.role_barrier
// CHECK-NEXT: ws.local_store %{{.*}} to %s[%t, 0]
// CHECK-NEXT: ws.role_barrier
// CHECK-NEXT: %{{.*}} = ws.local_load %s[0, 0] -> vector<64xbf16>
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
ptx.kernel @exchange(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %c : i64) {
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %a = ws.alloc : !a
  %s = ws.alloc : !a
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %map[0, 0] to %a
      %x = ws.local_load %a[%t, 0] -> vector<64xbf16>
      ws.local_store %x to %s[%t, 0]
      %y = ws.local_load %s[0, 0] -> vector<64xbf16>
      ws.global_store %y to %c[%t, 0] of (%c128, %c64)
    }
  }
  ptx.ret
}
