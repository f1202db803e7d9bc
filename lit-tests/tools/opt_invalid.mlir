// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s
// RUN: not tcgen05-opt %s --split-input-file -o %t.mlir 2>&1 | filecheck %s --check-prefix ONE
// RUN: not tcgen05-opt %s -p no-such-pass 2>&1 | filecheck %s --check-prefix PASS
// RUN: not tcgen05-opt %s -p 'tcgen05-lower-to-ptx{depth=1}' 2>&1 | filecheck %s --check-prefix PASS-OPTION
// RUN: not tcgen05-opt %s -p 'tcgen05-lower-to-ptx{' 2>&1 | filecheck %s --check-prefix PASS-SYNTAX
// RUN: not tcgen05-opt %s -t no-such-target 2>&1 | filecheck %s --check-prefix TARGET
// RUN: printf 'ptx.kernel @k() {\n  ptx.ret\n}\n' | not tcgen05-opt -t 'ptx{version=8}' 2>&1 | filecheck %s --check-prefix VERSION
// RUN: printf 'ptx.kernel @k() {\n  ptx.ret\n}\n' | not tcgen05-opt -t 'ptx{version=8.5}' 2>&1 | filecheck %s --check-prefix OLD
// RUN: not tcgen05-opt %s -p cse,convert-scf-to-cff 2>&1 | filecheck %s --check-prefix MEANT
// RUN: not tcgen05-opt %s -t 'ptx{verson="8.8"}' 2>&1 | filecheck %s --check-prefix TARGET-OPTION
// RUN: not tcgen05-opt %s -t 'ptx{' 2>&1 | filecheck %s --check-prefix TARGET-SYNTAX
// RUN: not tcgen05-opt %s --no-such-option 2>&1 | filecheck %s --check-prefix OPTION

// ONE: opt_invalid.mlir:35:1: error[T5-PTX-071]: ptx.shared_memory: alignment{{.*}}; found 3
// ONE-NEXT: ptx.shared_memory @x size 8 alignment 3
// ONE-NEXT: ^
// ONE-NEXT: help: align to a power of two, up to 32768
// ONE-NEXT: (PTX ISA 5.4.5; tcgen05 explain T5-PTX-071)
// ONE-NOT: {{.}}

// PASS: tcgen05-opt: error: -p: unknown pass no-such-pass
// PASS-OPTION: tcgen05-opt: error: -p tcgen05-lower-to-ptx has no option depth
// PASS-SYNTAX: tcgen05-opt: error: -p, column 22: expected argument name{{$}}
// TARGET: tcgen05-opt: error: argument -t/--target: invalid choice: 'no-such-target'
// VERSION: tcgen05-opt: error: -t ptx: version must be a string in quotes or a number such as 8.0; found 8
// OLD: <stdin>: error[T5-TARGET-002]: PTX version must be 8.6, {{.*}}; found 8.5{{.*}}
// MEANT: tcgen05-opt: error: -p: unknown pass convert-scf-to-cff; did you mean convert-scf-to-cf?
// TARGET-OPTION: tcgen05-opt: error: -t ptx has no option verson; its options are target, version; did you mean version?
// TARGET-SYNTAX: tcgen05-opt: error: -t, column 5: expected argument name{{$}}
// OPTION: tcgen05-opt: error: unknown option --no-such-option

// Each case of a file that is split has its own place in the file.

// CHECK: opt_invalid.mlir:35:1: error[T5-PTX-071]: ptx.shared_memory: alignment{{.*}}; found 3
ptx.shared_memory @x size 8 alignment 3

// -----

// CHECK: opt_invalid.mlir:40:1: error[T5-PTX-072]: ptx.shared_memory: {{.*}}; found 0
ptx.shared_memory @y size 0 alignment 8

// -----

// CHECK: opt_invalid.mlir:48:3
// CHECK: unknown operation ptx.rett
// CHECK: help: did you mean ptx.ret?
ptx.kernel @k() {
  ptx.rett
}

// -----

// CHECK: opt_invalid.mlir:56:11
// CHECK: expected an operation, the label of a block, or }; found 3
ptx.kernel @k() {
  ptx.ret 3
}
