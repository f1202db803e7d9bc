// RUN: tcgen05-opt %s -p tcgen05-convert-scf-to-cf --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @execute_region() {
  // CHECK: error[T5-PTX-104]: scf.execute_region: the operation has no lowering to PTX here; expected scf.for, scf.if, scf.while, scf.index_switch
  scf.execute_region {
    scf.yield
  }
  ptx.ret
}

// -----

ptx.kernel @no_condition(%n : i32) {
  %r = scf.while (%i = %n) : (i32) -> i32 {
    // CHECK: error[T5-PTX-109]: scf.yield: end of region 0 must be scf.condition; found scf.yield
    scf.yield %i : i32
  } do {
  ^bb0(%j : i32):
    scf.yield %j : i32
  }
  ptx.ret
}

// -----

ptx.kernel @condition(%n : i32, %w : i64) {
  %p = ptx.setp eq b32 %n, %n
  %r = scf.while (%i = %n) : (i32) -> i32 {
    // CHECK: error[T5-PTX-110]: scf.condition: types of the values passed by structured control flow must be (i32); found (i64)
    scf.condition(%p) %w : i64
  } do {
  ^bb0(%j : i32):
    scf.yield %j : i32
  }
  ptx.ret
}

// -----

ptx.kernel @yield(%n : i32) {
  %p = ptx.setp eq b32 %n, %n
  %r = scf.while (%i = %n) : (i32) -> i32 {
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%j : i32):
    // CHECK: error[T5-PTX-110]: scf.yield: types of the values passed by structured control flow must be (i32); found ()
    scf.yield
  }
  ptx.ret
}

// -----

ptx.kernel @if(%n : i32, %w : i64) {
  %p = ptx.setp eq b32 %n, %n
  %r = scf.if %p -> (i32) {
    // CHECK: error[T5-PTX-110]: scf.yield: types of the values passed by structured control flow must be (i32); found (i64)
    scf.yield %w : i64
  } else {
    scf.yield %n : i32
  }
  ptx.ret
}

// -----

ptx.kernel @no_other_case(%n : i32) {
  %p = ptx.setp eq b32 %n, %n
  // CHECK: error[T5-PTX-109]: scf.if: an scf.if with results needs an else region
  %r = "scf.if"(%p) ({
    scf.yield %n : i32
  }, {}) : (i1) -> i32
  ptx.ret
}

// -----

ptx.kernel @step(%n : i32) {
  %c0 = arith.constant 0 : i32
  // CHECK: error[T5-PTX-111]: scf.for: step of a loop must be a positive number; found 0
  scf.for %i = %c0 to %n step %c0 : i32 {
  }
  ptx.ret
}

// -----

ptx.kernel @negative_step(%n : i32) {
  %c = arith.constant -2 : i32
  // CHECK: error[T5-PTX-111]: scf.for: step of a loop must be a positive number; found -2
  scf.for %i = %n to %n step %c : i32 {
  }
  ptx.ret
}

// -----

%c1 = arith.constant 1 : i32
// CHECK: error[T5-PTX-104]: scf.for: the operation must be inside a kernel
scf.for %i = %c1 to %c1 step %c1 : i32 {
}

// -----

ptx.kernel @no_region(%n : i32) {
  // CHECK: scf.while: Region 'after_region' at position 1 expected a single block, but got 0 blocks
  %r = "scf.while"(%n) ({
  ^bb0(%i : i32):
    %p = ptx.setp eq b32 %n, %n
    scf.condition(%p) %i : i32
  }, {}) : (i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @other_end(%n : i32) {
  %p = ptx.setp eq b32 %n, %n
  // CHECK: scf.condition: 'scf.condition' expects parent op 'scf.while'
  "scf.if"(%p) ({
    "scf.condition"(%p) : (i1) -> ()
  }, {}) : (i1) -> ()
  ptx.ret
}
