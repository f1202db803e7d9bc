// RUN: tcgen05 check %s | filecheck %s --check-prefix VERIFIED
// RUN: tcgen05-opt %s -p tcgen05-lower-ws | filecheck %s
// RUN: sed '/ws.tma_load/d' %s > %t.mlir && not tcgen05 check %t.mlir | filecheck %s --check-prefix LOST
// RUN: sed '/[=] arith.muli/a cf.br ^next\n^next:' %s > %t.mlir && not tcgen05 check %t.mlir | filecheck %s --check-prefix BLOCKS

// Functions in roles: they load, compute with vectors, and hold stages.
// VERIFIED: remark: @copy: verified
// CHECK: ptx.kernel
// CHECK-NOT: func.
// LOST: error[T5-WS-001]: ws.produce: the number of loads of %tile must be 1; found 0
// BLOCKS: error[T5-PTX-115]: func.call: in ws.role, the number of blocks of @columns must be 1, which ends with func.return; found 2
// BLOCKS: help: write the control flow of the function with scf.if and scf.for
!tile = !ws.smem<128x32xf32, k_major, swizzle_128b>
!map = !ptx.tensor_map<128x32xf32, swizzle_128b>
func.func private @columns(%tile : i32) -> i32 {
  %c32 = arith.constant 32 : i32
  %twice = arith.muli %tile, %c32 : i32
  func.return %twice : i32
}
func.func private @load(%map : !map, %i : i32, %tile : !tile) {
  %c0 = arith.constant 0 : i32
  ws.tma_load %map[%c0, %i] to %tile
  func.return
}
func.func private @store(%v : vector<32xf32>, %p : i64, %row : i32, %i : i32, %m : i32, %n : i32) {
  %column = func.call @columns(%i) : (i32) -> i32
  %twice = arith.addf %v, %v : vector<32xf32>
  ws.global_store %twice to %p[%row, %column] of (%m, %n)
  func.return
}
func.func private @read(%ring : !ws.ring<2 x (!tile)>, %row : i32) -> vector<32xf32> {
  %v = ws.consume %ring by threads (%tile) -> vector<32xf32> {
    %own = ws.local_load %tile[%row, 0] -> vector<32xf32>
    ws.yield %own
  }
  func.return %v : vector<32xf32>
}
ptx.kernel @copy(%map : !map, %p : i64, %m : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %ring = ws.ring 2 : !tile
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        ws.produce %ring by tma (%tile) {
          func.call @load(%map, %i, %tile) : (!map, i32, !tile) -> ()
        }
      }
    }
    ws.role @store warps(4) threads(%t) {
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        %v = func.call @read(%ring, %t) : (!ws.ring<2 x (!tile)>, i32) -> vector<32xf32>
        func.call @store(%v, %p, %t, %i, %m, %n) : (vector<32xf32>, i64, i32, i32, i32, i32) -> ()
      }
    }
  }
  ptx.ret
}
