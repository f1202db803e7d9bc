// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics -t ptx | filecheck %s

ptx.kernel @in_a_block(%out : i64) {
  // CHECK: error[T5-PTX-100]: ptx.st: value must be defined on every path to this operation; found operand 1 (%later), whose definition does not dominate this use
  ptx.st global b32 [%out], {%later}
  %later = ptx.constant 1 : i32
  ptx.ret
}

// -----

ptx.kernel @one_way(%x : i32, %out : i64) {
  %p = ptx.setp eq b32 %x, %x
  ptx.cond_bra %p, ^then, ^end
^then:
  %sum = ptx.add s32 %x, %x
  ptx.bra ^end
^end:
  // CHECK: error[T5-PTX-100]: ptx.st: value must be defined on every path to this operation; found operand 1 (%sum), whose definition does not dominate this use
  ptx.st global b32 [%out], {%sum}
  ptx.ret
}

// -----

ptx.kernel @argument(%x : i32, %out : i64) {
  %p = ptx.setp eq b32 %x, %x
  ptx.cond_bra %p, ^then(%x : i32), ^end
^then(%a : i32):
  ptx.bra ^end
^end:
  // CHECK: error[T5-PTX-100]: ptx.st: value must be defined on every path to this operation; found operand 1 (%a), whose definition does not dominate this use
  ptx.st global b32 [%out], {%a}
  ptx.ret
}

// -----

ptx.kernel @loop(%x : i32, %out : i64) {
  ptx.bra ^loop
^loop:
  // CHECK: error[T5-PTX-100]: ptx.nanosleep: value must be defined on every path to this operation; found operand 0 (%last), whose definition does not dominate this use
  ptx.nanosleep %last
  %last = ptx.add s32 %x, %x
  ptx.bra ^loop
}

// -----

ptx.kernel @guard(%x : i32, %out : i64) {
  %p = ptx.setp eq b32 %x, %x
  ptx.guard %p {
    // CHECK: error[T5-PTX-100]: ptx.nanosleep: value must be defined on every path to this operation; found operand 0 (%later), whose definition does not dominate this use
    ptx.nanosleep %later
  }
  %later = ptx.add s32 %x, %x
  ptx.ret
}

// -----

ptx.kernel @own_result(%x : i32, %out : i64) {
  // CHECK: error[T5-PTX-100]: ptx.add: value must be defined on every path to this operation; found operand 1 (%y), whose definition does not dominate this use
  %y = ptx.add s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @from_unreachable(%x : i32, %out : i64) {
  ptx.bra ^end
^never:
  %y = ptx.add s32 %x, %x
  ptx.bra ^end
^end:
  // CHECK: error[T5-PTX-100]: ptx.st: value must be defined on every path to this operation; found operand 1 (%y), whose definition does not dominate this use
  ptx.st global b32 [%out], {%y}
  ptx.ret
}

// -----

// A block that nothing reaches may use what it likes: it is not printed.
// CHECK: .visible .entry in_unreachable(
// CHECK-NOT: nanosleep
// CHECK: ret;
ptx.kernel @in_unreachable(%x : i32, %out : i64) {
  ptx.ret
^never:
  ptx.nanosleep %y
  %y = ptx.add s32 %x, %x
  ptx.ret
}

// -----

ptx.kernel @never_defined(%x : i32, %out : i64) {
  // CHECK: dominance_invalid.mlir:100:17
  // CHECK: %never_defined is used but not defined
  ptx.nanosleep %never_defined
  ptx.ret
}

// -----

builtin.module {
  %x = ptx.constant 1 : i32
  ptx.kernel @isolated() {
    // CHECK: error[T5-PTX-100]: ptx.nanosleep: value must be defined on every path to this operation; found operand 0 (%x), which is defined outside the kernel
    ptx.nanosleep %x
    ptx.ret
  }
}

// -----

ptx.kernel @in_its_own_loop(%p : i64, %n : i32) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    // CHECK: error[T5-PTX-100]: ptx.st: value must be defined on every path to this operation; found operand 1 (%r), whose definition does not dominate this use
    ptx.st global b32 [%p], {%r}
    scf.yield %i : i32
  }
  ptx.ret
}
