// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s

!tile = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @tiles(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %out : i64, %m : i32, %n : i32) {
  %ring = ws.ring 2 : !tile
  // CHECK: ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) persistent {
  // GENERIC: "ws.warp_specialize"(%m, %n) <{extents = array<i32: 64, 64>, persistent}> ({
  // GENERIC-NEXT: ^{{.*}}(%i: i32, %j: i32):
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 64) persistent {
    %c64 = arith.constant 64 : i32
    %row = arith.muli %i, %c64 : i32
    // CHECK: ws.role @load warps(1) {
    // GENERIC: "ws.role"() <{sym_name = "load", warps = 1 : i32}> ({
    ws.role @load warps(1) {
      ws.produce %ring by tma (%tile) {
        ws.tma_load %map[%i, %j] to %tile
      }
      // CHECK: ws.elected {
      // GENERIC: "ws.elected"() ({
      ws.elected {
        ptx.prefetch.tensormap [%map]
      }
    }
    // CHECK: ws.role @store warps(2) threads(%t) {
    ws.role @store warps(2) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %v = ws.local_load %tile[%t, 0] -> vector<64xbf16>
        // CHECK: ws.role_barrier
        // GENERIC: "ws.role_barrier"() : () -> ()
        ws.role_barrier
        %own = arith.addi %row, %t : i32
        %column = arith.muli %j, %c64 : i32
        ws.global_store %v to %out[%own, %column] of (%m, %n)
      }
    }
  }
  ptx.ret
}

!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @pair(%a_map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %m : i32) attributes {cluster_dims = array<i32: 2>} {
  %ab = ws.ring 2 : !a, !b
  %acc = ws.ring 1 : !d
  // CHECK: ws.warp_specialize pair tiles(%i) of (%m by 256) {
  // GENERIC: "ws.warp_specialize"(%m) <{extents = array<i32: 256>, pair}> ({
  ws.warp_specialize pair tiles(%i) of (%m by 256) {
    ws.role @load warps(1) {
      ws.produce %ab by tma (%sa, %sb) {
        // CHECK: ws.tma_load %a_map[half %i, 0] to %sa
        // GENERIC: "ws.tma_load"(%a_map, %sa, %i) <{static_indices = array<i64: -9223372036854775808, 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, halves = array<i64: 1, 0>}>
        ws.tma_load %a_map[half %i, 0] to %sa
        ws.tma_load %b_map[half 0, 0] to %sb
      }
    }
    // CHECK: ws.role @mma warps(1) leader {
    // GENERIC: "ws.role"() <{sym_name = "mma", warps = 1 : i32, leader}> ({
    ws.role @mma warps(1) leader {
      ws.produce %acc by mma (%sd) {
        ws.consume %ab by mma (%sa, %sb) {
          ws.mma %sd, %sa, %sb
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%sd) {
        %v = ws.tmem_load %sd[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

ptx.kernel @registers() {
  ws.warp_specialize {
    // CHECK: ws.role @compute warps(4) threads(%t{{.*}}) registers(232) {
    // GENERIC: "ws.role"() <{sym_name = "compute", warps = 4 : i32, registers = 232 : i32}> ({
    ws.role @compute warps(4) threads(%t) registers(232) {
      ws.role_barrier
    }
    // CHECK: ws.role @issue warps(1) registers(40) {
    ws.role @issue warps(1) registers(40) {
      ws.role_barrier
    }
  }
  ptx.ret
}

// Raw operations of a pair are for both CTAs.
!raw = !tcgen05.tmem<128x64xf32>
ptx.kernel @raw_pair() attributes {cluster_dims = array<i32: 2>} {
  %acc = ws.ring 1 : !raw
  ws.warp_specialize pair {
    ws.role @mma warps(1) leader {
      ws.produce %acc by mma (%d) {
        ws.elected {
          // CHECK: tcgen05.shift cta_group_2 %d
          tcgen05.shift cta_group_2 %d : !raw
        }
      }
    }
    ws.role @read warps(4) {
      ws.consume %acc by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<64xf32>
      }
    }
  }
  ptx.ret
}

ptx.kernel @groups(%m : i32, %n : i32) {
  // CHECK: ws.warp_specialize tiles(%i{{.*}}, %j{{.*}}) of (%m{{.*}} by 64, %n{{.*}} by 32) persistent group(8) {
  // GENERIC: "ws.warp_specialize"(%m{{.*}}, %n{{.*}}) <{extents = array<i32: 64, 32>, persistent, group = 8 : i32}> ({
  ws.warp_specialize tiles(%i, %j) of (%m by 64, %n by 32) persistent group(8) {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}

ptx.kernel @requests(%m : i32) {
  // CHECK: ws.warp_specialize tiles(%i{{.*}}) of (%m{{.*}} by 64) clc {
  // GENERIC: "ws.warp_specialize"(%m{{.*}}) <{extents = array<i32: 64>, clc}> ({
  ws.warp_specialize tiles(%i) of (%m by 64) clc {
    ws.role @wait warps(1) {
      ws.role_barrier
    }
  }
  ptx.ret
}
