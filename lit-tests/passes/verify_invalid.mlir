// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx,tcgen05-verify --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-verify --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s --check-prefix RAW
// RAW: error[T5-PTX-104]: arith.constant: each operation before tcgen05-verify must be an operation of ptx; found arith.constant

// The lane that elect.sync chooses.
ptx.kernel @elected(%slot : i32) {
  %c128 = arith.constant 128 : i32
  %all_lanes = arith.constant -1 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    // CHECK: :{{[0-9]+}}:5: error[T5-SIM-004]: tcgen05.alloc: only some lanes of a warp execute the instruction, because of the condition in line 10
    tcgen05.alloc %slot, %c128
  }
  ptx.ret
}

// -----

// elect.sync waits for all lanes of its mask.
ptx.kernel @elect_in_elect() {
  %c0 = arith.constant 0 : i32
  %all_lanes = arith.constant -1 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    // CHECK: error[T5-SIM-004]: ptx.elect.sync: only some lanes of a warp execute the instruction, because of the condition in line 24
    %inner_leader, %inner = ptx.elect.sync %all_lanes
  }
  ptx.ret
}

// -----

// A launch of any size has the warp of the first thread.
ptx.kernel @first_thread(%address : i32) {
  %c0 = arith.constant 0 : i32
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    // CHECK: error[T5-SIM-004]: ptx.tcgen05.ld: only lane 0 of warp 0 executes the instruction, because of the condition in line 38
    %v = ptx.tcgen05.ld shape_32x32b x1 [%address] -> i32
  }
  ptx.ret
}

// -----

// One lane in each turn.
ptx.kernel @turns(%n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = ptx.special_register laneid
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is_turn = arith.cmpi eq, %lane, %i : i32
    scf.if %is_turn {
      // CHECK: error[T5-SIM-004]: tcgen05.wait: only some lanes of a warp execute the instruction, because of the condition in line 54
      tcgen05.wait ld
    }
  }
  ptx.ret
}

// -----

// The last warp is divided, the others are whole.
ptx.kernel @last_rows(%c : i32) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c100 = arith.constant 100 : i32
  %thread = ptx.special_register tid.x
  %is_row = arith.cmpi slt, %thread, %c100 : i32
  scf.if %is_row {
    // CHECK: error[T5-SIM-004]: tcgen05.wait: only lanes 0, 1, ... 3 of warp 3 execute the instruction, because of the condition in line 69
    tcgen05.wait ld
  }
  ptx.ret
}

// -----

// A guard is like a branch; a lane that has ended does not come back.
ptx.kernel @guards(%t : i32) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %c128 = arith.constant 128 : i32
  %lane = ptx.special_register laneid
  %is_last = arith.cmpi ugt, %lane, %c7 : i32
  ptx.guard not %is_last {
    ptx.bar.sync %c0
  }
  ptx.guard %is_last {
    ptx.exit
  }
  ptx.tcgen05.dealloc cta_group_1 %t, %c128
  ptx.ret
}
// CHECK: error[T5-SIM-004]: ptx.bar.sync: only lanes 0, 1, ... 7 of warp 0 execute the instruction, because of the guard in line 85

// -----

ptx.kernel @ended(%t : i32) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c7 = arith.constant 7 : i32
  %c128 = arith.constant 128 : i32
  %lane = ptx.special_register laneid
  %is_last = arith.cmpi ugt, %lane, %c7 : i32
  ptx.guard %is_last {
    ptx.exit
  }
  // CHECK: error[T5-SIM-004]: ptx.tcgen05.dealloc: only lanes 0, 1, ... 7 of warp 0 execute the instruction, because of the guard in line 103
  ptx.tcgen05.dealloc cta_group_1 %t, %c128
  ptx.ret
}

// -----

// One thread initialises a barrier object, and issues.
ptx.kernel @all_lanes(%t : i32, %a : i64, %b : i64, %n : i32) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %idesc = arith.constant 138413200 : i32
  %no = arith.constant false
  %thread = ptx.special_register tid.x
  %barrier = ptx.address_of @done
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    ptx.mbarrier.init [%barrier], %c1
  }
  ptx.ret
}
ptx.shared_memory @done size 8 alignment 8
// CHECK: error[T5-SIM-008]: ptx.mbarrier.init: all lanes of a warp execute it, and each initialises the same barrier object

// -----

ptx.kernel @products(%t : i32, %a : i64, %b : i64, %n : i32) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %idesc = arith.constant 138413200 : i32
  %yes = arith.constant true
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: error[T5-SIM-014]: ptx.tcgen05.mma: all lanes of a warp execute it, and each writes the same accumulator
    ptx.tcgen05.mma cta_group_1 f16 [%t], %a, %b, %idesc, %yes
  }
  ptx.ret
}

// -----

// So many arrivals would end the phase early.
ptx.shared_memory @read size 16 alignment 8
ptx.kernel @arrivals(%n : i32) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %barriers = ptx.address_of @read
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%barriers], %c2
    ptx.mbarrier.init [%barriers + 8], %c1
  }
  ptx.bar.sync %c0
  scf.for %i = %c0 to %n step %c1 : i32 {
    %stage = arith.remui %i, %c2 : i32
    %offset = arith.muli %stage, %c8 : i32
    %barrier = arith.addi %barriers, %offset : i32
    // CHECK: error[T5-SIM-008]: ptx.mbarrier.arrive: 32 lanes of a warp arrive at @read, which expects 2 arrivals
    ptx.mbarrier.arrive [%barrier]
  }
  ptx.ret
}

// -----

// All lanes store through the same tensor map.
ptx.shared_memory @tile size 1024 alignment 128
ptx.kernel @boxes(%map : !ptx.tensor_map) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %tile = ptx.address_of @tile
  // CHECK: error[T5-SIM-014]: ptx.cp.async.bulk.tensor.store: all lanes of a warp execute it, and each writes the same global memory
  ptx.cp.async.bulk.tensor.store %map, {%c0, %c0}, [%tile]
  ptx.ret
}
// RAW: help: run tcgen05-lower-to-ptx before it: -p tcgen05-lower-to-ptx,tcgen05-verify
