// RUN: not tcgen05 check %s | filecheck %s --match-full-lines
// RUN: not tcgen05 check %s | python -c "import sys; print(sum(': error' in line for line in sys.stdin), 'error')" | filecheck %s --check-prefix COUNT

// COUNT: 1 error

// CHECK: {{.*}}target_invalid.mlir:[[# @LINE + 1]]:1: error[T5-TARGET-001]: builtin.module: target of a tcgen05 program must be sm_100a, {{.*}}; found sm_103x
builtin.module attributes {ptx.target = #ptx.target<"sm_103x", "8.8">} {
  ptx.kernel @k(%d : i32) {
    ptx.ret
  }
}
