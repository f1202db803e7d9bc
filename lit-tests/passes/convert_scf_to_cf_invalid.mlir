// RUN: tcgen05-opt %s -p tcgen05-convert-scf-to-cf --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @execute_region() {
  // CHECK: scf.execute_region: has no lowering to cf; legal: scf.for, scf.if, scf.while, scf.index_switch
  scf.execute_region {
    scf.yield
  }
  ptx.ret
}

// -----

ptx.kernel @no_condition(%n : i32) {
  %r = scf.while (%i = %n) : (i32) -> i32 {
    // CHECK: scf.yield: ends the first region; legal: scf.condition
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
    // CHECK: scf.condition: passes on values of types (i64); legal: (i32)
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
    // CHECK: scf.yield: passes on values of types (); legal: (i32)
    scf.yield
  }
  ptx.ret
}

// -----

ptx.kernel @if(%n : i32, %w : i64) {
  %p = ptx.setp eq b32 %n, %n
  %r = scf.if %p -> (i32) {
    // CHECK: scf.yield: passes on values of types (i64); legal: (i32)
    scf.yield %w : i64
  } else {
    scf.yield %n : i32
  }
  ptx.ret
}

// -----

ptx.kernel @no_other_case(%n : i32) {
  %p = ptx.setp eq b32 %n, %n
  // CHECK: scf.if: has results and no region for the other case
  %r = "scf.if"(%p) ({
    scf.yield %n : i32
  }, {}) : (i1) -> i32
  ptx.ret
}
