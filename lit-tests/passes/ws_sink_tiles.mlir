// RUN: tcgen05-opt %s -p ws-sink-tiles | filecheck %s

// The position of the CTA in the grid is the tile.
// CHECK: ptx.kernel @k(
// CHECK: %i = ptx.special_register ctaid.x
// CHECK-NEXT: %j = ptx.special_register ctaid.y
// CHECK-NEXT: ws.warp_specialize {
// CHECK: %next = arith.addi %i, %one : i32
// CHECK: ws.tma_load %map[%next, %j] to %tile
!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %m : i32, %n : i32) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) {
    %one = arith.constant 1 : i32
    %next = arith.addi %i, %one : i32
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[%next, %j] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// Each role has a loop over the tiles of the CTA; what depends on the tile is computed in each.
// CHECK: ptx.kernel @persistent(
// CHECK: [[ROWS:%[0-9]+]] = arith.ceildivui %m, %{{.*}} : i32
// CHECK-NEXT: [[COLUMNS:%[0-9]+]] = arith.ceildivui %n, %{{.*}} : i32
// CHECK-NEXT: [[TILES:%[0-9]+]] = arith.muli [[ROWS]], [[COLUMNS]] : i32
// CHECK-NEXT: [[FIRST:%[0-9]+]] = ptx.special_register ctaid.x
// CHECK-NEXT: [[STEP:%[0-9]+]] = ptx.special_register nctaid.x
// CHECK-NEXT: ws.warp_specialize {
// CHECK-NEXT: ws.role @load warps(1) {
// CHECK-NEXT: scf.for %tile = [[FIRST]] to [[TILES]] step [[STEP]] : i32 {
// CHECK-NEXT: %i = arith.remui %tile, [[ROWS]] : i32
// CHECK-NEXT: %j = arith.divui %tile, [[ROWS]] : i32
// CHECK: %next = arith.addi %i, %one : i32
// CHECK: ws.tma_load %map[%next, %j] to
// CHECK: ws.role @use warps(2) threads(%t) {
// CHECK-NEXT: scf.for %tile
ptx.kernel @persistent(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %m : i32, %n : i32) {
  %ring = ws.ring 2 : !tile
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) persistent {
    %one = arith.constant 1 : i32
    %next = arith.addi %i, %one : i32
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[%next, %j] to %tile
      }
    }
    ws.role @use warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// In groups of 8 tiles along the first dimension; the last group may have fewer.
// CHECK: ptx.kernel @groups(
// CHECK: [[ROWS:%[0-9]+]] = arith.ceildivui %m, %{{.*}} : i32
// CHECK-NEXT: [[COLUMNS:%[0-9]+]] = arith.ceildivui %n, %{{.*}} : i32
// CHECK: [[WHOLE:%[0-9]+]] = arith.muli [[COLUMNS]], [[EIGHT:%[0-9]+]] : i32
// CHECK: scf.for %tile = {{.*}} {
// CHECK-NEXT: [[GROUP:%[0-9]+]] = arith.divui %tile, [[WHOLE]] : i32
// CHECK-NEXT: [[FIRST:%[0-9]+]] = arith.muli [[GROUP]], [[EIGHT]] : i32
// CHECK-NEXT: [[INSIDE:%[0-9]+]] = arith.remui %tile, [[WHOLE]] : i32
// CHECK-NEXT: [[REST:%[0-9]+]] = arith.subi [[ROWS]], [[FIRST]] : i32
// CHECK-NEXT: [[HEIGHT:%[0-9]+]] = arith.minui [[REST]], [[EIGHT]] : i32
// CHECK-NEXT: [[ROW:%[0-9]+]] = arith.remui [[INSIDE]], [[HEIGHT]] : i32
// CHECK-NEXT: %i = arith.addi [[FIRST]], [[ROW]] : i32
// CHECK-NEXT: %j = arith.divui [[INSIDE]], [[HEIGHT]] : i32
ptx.kernel @groups(%m : i32, %n : i32) {
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) persistent group(8) {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}
