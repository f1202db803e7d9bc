// RUN: tcgen05-opt %s -p ws-partition --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// A load before the product has read the earlier one.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      // CHECK: error[T5-WS-030]: ws.tma_load: %a is written again before ws.mma in line {{[0-9]+}} has read it
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// A product reads what nothing loads.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      // CHECK: error[T5-WS-030]: ws.mma: %b is read, but no operation writes it
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// Nothing reads a loaded tile.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      // CHECK: error[T5-WS-030]: ws.tma_load: %b is written, but no operation reads it
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %a
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// Nothing reads an accumulator.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      // CHECK: error[T5-WS-030]: ws.mma: %d is written, but no operation reads it
      ws.mma %d, %a, %b
      ws.mma %d, %a, %b accumulate %true
    }
  }
  ptx.ret
}

// -----

// A load in the first iteration, and a product in each.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %first = arith.cmpi eq, %i, %c0 : i32
        scf.if %first {
          ws.tma_load %a_map[0, 0] to %a
        }
        ws.tma_load %a_map[1, 0] to %b
        %later = arith.cmpi ne, %i, %c0 : i32
        // CHECK: error[T5-WS-030]: ws.mma: for %n = 2, %a is read again, but ws.tma_load in line {{[0-9]+}} has not written it in between
        ws.mma %d, %a, %b accumulate %later
      }
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// The first iteration reads an accumulator that nothing has written.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        // CHECK: error[T5-WS-030]: ws.tmem_load: %d is read before an operation writes it
        %w = ws.tmem_load %d[0] -> vector<128xf32>
        ws.global_store %w to %c[%t, 0] of (%c128, %c128)
        ws.tma_load %a_map[0, 0] to %a
        ws.tma_load %a_map[1, 0] to %b
        ws.mma %d, %a, %b accumulate %true
      }
    }
  }
  ptx.ret
}

// -----

// Threads initialise the accumulator.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      %zero = arith.constant dense<0.0> : vector<128xf32>
      ws.tmem_store %zero to %d[0]
      ws.mma %d, %a, %b accumulate %true
      // CHECK: error[T5-WS-030]: ws.tmem_load: %d is read after ws.mma in line {{[0-9]+}} has used it, but the role of ws.tmem_load writes %d first, and does not get it back
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// Threads change a tile between the load and the product.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      %x = ws.local_load %a[%t, 0] -> vector<64xbf16>
      %y = arith.addf %x, %x : vector<64xbf16>
      // CHECK: error[T5-WS-030]: ws.local_store: three roles use %a, so that only the role of ws.tma_load in line {{[0-9]+}} may write it
      ws.local_store %y to %a[%t, 0]
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// TMA stores a tile that it has loaded.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
      // CHECK: error[T5-WS-030]: ws.tma_store: %a is stored, but ws.tma_load in line {{[0-9]+}} writes it, not the threads
      ws.tma_store %a to %c_map[0, 0]
    }
  }
  ptx.ret
}

// -----

// TMA stores a tile in another block than that of the writes.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
      %s = ws.alloc : !a
      %x = ws.local_load %a[%t, 0] -> vector<64xbf16>
      // CHECK: error[T5-WS-030]: ws.local_store: %s is written, but no ws.tma_store follows in the same block
      ws.local_store %x to %s[%t, 0]
      %q = arith.cmpi eq, %p, %c0 : i32
      scf.if %q { ws.tma_store %s to %c_map[0, 0] }
    }
  }
  ptx.ret
}

// -----

// Conditionals that no size takes both ways.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %q = arith.cmpi ugt, %p, %i : i32
        // CHECK: error[T5-WS-030]: scf.if: no size that was tried decides in which order roles use %a
        scf.if %q {
          ws.tma_load %a_map[0, 0] to %a
        }
        ws.tma_load %a_map[1, 0] to %b
        scf.if %q {
          ws.mma %d, %a, %b accumulate %true
        } else { ws.mma %d, %b, %b accumulate %true }
      }
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// Control that depends on a result.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      // CHECK: error[T5-WS-031]: ws.tmem_load: ws.tma_load in line {{[0-9]+}} depends on what ws.tmem_load gives, but only @epilogue has this value, and @load needs it
      %x = ws.tmem_load %d[0] -> vector<1xf32>
      %e = vector.extract %x[0] : f32 from vector<1xf32>
      %i = arith.fptosi %e : f32 to i32
      %q = arith.cmpi eq, %i, %c0 : i32
      scf.if %q {
        ws.tma_load %a_map[2, 0] to %a
        ws.mma %d, %a, %b accumulate %true
      }
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// A load whose place depends on loaded data.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      // CHECK: error[T5-WS-031]: ws.local_load: ws.tma_load in line {{[0-9]+}} depends on what ws.local_load gives, but only @epilogue has this value, and @load needs it
      %x = ws.local_load %a[0, 0] -> vector<8xbf16>
      %e = vector.extract %x[0] : bf16 from vector<8xbf16>
      %i = arith.fptosi %e : bf16 to i32
      ws.tma_load %a_map[%i, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// A load whose place depends on the thread.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      // CHECK: error[T5-WS-031]: ws.tma_load: one thread executes it for all, but it depends on %t
      ws.tma_load %a_map[%t, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// Some threads store what others load.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
      %s = ws.alloc : !a
      %x = ws.local_load %a[%t, 0] -> vector<64xbf16>
      %q = arith.cmpi ult, %t, %c1 : i32
      // CHECK: error[T5-WS-031]: scf.if: the condition depends on %t, but other threads read what ws.local_store stores
      scf.if %q { ws.local_store %x to %s[%t, 0] }
      %y = ws.local_load %s[0, 0] -> vector<64xbf16>
      ws.global_store %y to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}

// -----

// Raw operations of one thread.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
      // CHECK: error[T5-WS-032]: ws.elected: the partition does not know the role of what ws.elected contains
      ws.elected { }
    }
  }
  ptx.ret
}

// -----

// The address of a buffer.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      ws.mma %d, %a, %b
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
      %address = ws.address %a
      // CHECK: error[T5-WS-032]: ptx.ld: ptx.ld uses %a, and the partition does not know what it reads and writes
      %word = ptx.ld shared u32 [%address] -> i32
    }
  }
  ptx.ret
}

// -----

// A loop that is no scf.for.
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.kernel @k(%a_map : !map, %c_map : !map, %c : i64, %n : i32 {ptx.at_least = 1}, %p : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %true = arith.constant true
  %a = ws.alloc : !a
  %b = ws.alloc : !a
  %d = ws.alloc : !d
  ws.warp_specialize {
    ws.role @block warps(4) threads(%t) {
      ws.tma_load %a_map[0, 0] to %a
      ws.tma_load %a_map[1, 0] to %b
      %last = scf.while (%i = %c0) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %n : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%j : i32):
        // CHECK: error[T5-WS-032]: ws.mma: the operation around ws.mma must be scf.for, scf.if or ws.role; found scf.while
        ws.mma %d, %a, %b accumulate %true
        %next = arith.addi %j, %c1 : i32
        scf.yield %next : i32
      }
      %v = ws.tmem_load %d[0] -> vector<128xf32>
      ws.global_store %v to %c[%t, 0] of (%c128, %c128)
    }
  }
  ptx.ret
}
