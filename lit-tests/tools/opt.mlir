// RUN: tcgen05-opt %s | filecheck %s
// RUN: tcgen05 opt %s | filecheck %s
// RUN: tcgen05-opt - < %s | filecheck %s
// RUN: tcgen05-opt %s -o %t.mlir && filecheck %s --input-file %t.mlir
// RUN: xdsl-opt %s | filecheck %s
// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -t ptx | filecheck %s --check-prefix PTX
// RUN: tcgen05-opt %s -t 'ptx{target=sm_103a version=8.8}' | filecheck %s --check-prefix OPTIONS
// RUN: tcgen05-opt %s -t 'ptx{target="sm_103a" version="8.8"}' | filecheck %s --check-prefix OPTIONS
// RUN: xdsl-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX
// RUN: tcgen05-opt %s --print-debuginfo | filecheck %s --check-prefix PLACE

// CHECK: ptx.kernel @nothing() {
// CHECK-NEXT: ptx.ret
// CHECK-NEXT: }

// PTX: .target sm_100a
// PTX: .visible .entry nothing(

// OPTIONS: .version 8.8
// OPTIONS-NEXT: .target sm_103a

// PLACE: ptx.ret loc("{{.*}}opt.mlir":27:3)


ptx.kernel @nothing() {
  ptx.ret
}
