// RUN: tcgen05-opt %s --verify-diagnostics --split-input-file
// RUN: tcgen05 opt %s --verify-diagnostics --split-input-file
// RUN: tcgen05 check %s --verify-diagnostics --split-input-file --verify=off

// Expectations have the syntax of mlir-opt. All of these are met.

ptx.kernel @number_of_columns(%s : i32) {
  %c = arith.constant 48 : i32
  // expected-error @+1 {{number of columns must be 32, 64, 128, 256 or 512; found 48}}
  tcgen05.alloc %s, %c
  ptx.ret
}

// -----

ptx.kernel @on_the_line(%s : i32) {
  %c = arith.constant 48 : i32
  tcgen05.alloc %s, %c // expected-error {{[T5-ALLOC-001]}}
  ptx.ret
}

// -----

ptx.kernel @above_and_below(%s : i32) {
  %c = arith.constant 48 : i32
  // expected-error-re@below {{must be {{[0-9]+}}, 64{{.*}}found 4{{[89]$}}}}
  tcgen05.alloc %s, %c
  %d = arith.constant 33 : i32
  tcgen05.alloc %s, %d
  // expected-error@above {{found 33}}
  ptx.ret
}

// -----

ptx.kernel @errors_of_the_parser(%s : i32) {
  ptx.foo
  // expected-error @-1 {{unknown operation ptx.foo}}
}
