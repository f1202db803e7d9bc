// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics -t ptx | filecheck %s

ptx.kernel @arith(%x : i32) {
  // CHECK: error[T5-PTX-104]: arith.addi: the operation has no lowering to PTX here; expected operations of ptx, to which it must be lowered first
  %y = arith.addi %x, %x : i32
  ptx.nanosleep %y
  ptx.ret
}

// -----

ptx.kernel @arith_constant() {
  // CHECK: error[T5-PTX-104]: arith.constant: the operation has no lowering to PTX here; expected operations of ptx, to which it must be lowered first
  %y = arith.constant 1 : i32
  ptx.nanosleep %y
  ptx.ret
}

// -----

ptx.kernel @scf(%x : i32) {
  // CHECK: error[T5-PTX-104]: scf.for: the operation has no lowering to PTX here; expected operations of ptx, to which it must be lowered first
  scf.for %i = %x to %x step %x : i32 {
    ptx.nanosleep %i
  }
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-104]: func.func: the operation has no lowering to PTX here; expected ptx.kernel and ptx.shared_memory
func.func @function() {
  func.return
}

// -----

ptx.kernel @wide_load(%p : i64) {
  // CHECK: error[T5-TARGET-014]: ptx.ld: PTX version for ld and st of 256 bits on sm_100a must be 8.8 or later; found 8.6
  %v:8 = ptx.ld global b32 [%p] -> 8 x i32
  ptx.ret
}

// -----

ptx.kernel @wide_store(%p : i64, %l : i64) {
  // CHECK: error[T5-TARGET-014]: ptx.st: PTX version for ld and st of 256 bits on sm_100a must be 8.8 or later; found 8.6
  ptx.st global b64 [%p], {%l, %l, %l, %l}
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.kernel @shift(%d : i32) {
    // CHECK: error[T5-TARGET-012]: ptx.tcgen05.shift: target for tcgen05.shift must be sm_100a, sm_101a, sm_103a or sm_110a; found sm_100f
    ptx.tcgen05.shift cta_group_1 [%d]
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @kind_i8(%d : i32, %a : i64, %i : i32) {
    %p = ptx.setp eq b32 %d, %d
    // CHECK: error[T5-TARGET-004]: ptx.tcgen05.mma: target for .kind::i8 must be sm_100a, sm_101a or sm_110a; found sm_103a
    ptx.tcgen05.mma cta_group_1 i8 [%d], %a, %a, %i, %p
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_110a", "9.0">} {
  ptx.kernel @scale_input_d(%d : i32, %a : i64, %i : i32) {
    %p = ptx.setp eq b32 %d, %d
    // CHECK: error[T5-TARGET-007]: ptx.tcgen05.mma: target for scale-input-d must be sm_100a, sm_100f, sm_103a or sm_103f; found sm_110a
    ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %a, %i, %p scale_input_d(1)
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
  ptx.kernel @guarded(%p : i64, %l : i64) {
    %q = ptx.setp eq b64 %p, %l
    ptx.guard %q {
      // CHECK: error[T5-TARGET-014]: ptx.st: PTX version for ld and st of 256 bits on sm_100a must be 8.8 or later; found 8.6
      ptx.st global b64 [%p], {%l, %l, %l, %l}
    }
    ptx.ret
  }
}

// -----

// CHECK: error[T5-TARGET-001]: builtin.module: target of a tcgen05 program must be sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a or sm_110f; found sm_90a
builtin.module attributes {ptx.target = #ptx.target<"sm_90a", "8.6">} {
  ptx.kernel @target() {
    ptx.ret
  }
}

// -----

// CHECK: error[T5-TARGET-003]: builtin.module: PTX version for tcgen05 instructions on sm_103a must be 8.8 or later; found 8.7
builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.7">} {
  ptx.kernel @version() {
    ptx.ret
  }
}

// -----

// CHECK: error[T5-TARGET-002]: builtin.module: PTX version must be 8.6, 8.7, 8.8, 9.0, 9.1, 9.2, 9.3, 9.4 or 9.5; found 8.0
builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.0">} {
  ptx.kernel @no_such_version() {
    ptx.ret
  }
}

// -----

// CHECK: error[T5-TARGET-001]: builtin.module: attribute ptx.target must be an attribute such as #ptx.target<"sm_100a", "8.6">; found "sm_103a"
builtin.module attributes {ptx.target = "sm_103a"} {
  ptx.kernel @no_target() {
    ptx.ret
  }
}
