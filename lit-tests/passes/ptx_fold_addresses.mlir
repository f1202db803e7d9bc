// RUN: tcgen05-opt %s -p ptx-fold-addresses | filecheck %s

// CHECK-LABEL: ptx.kernel @addresses
ptx.kernel @addresses(%a : i32, %g : i64, %n : i32) {
  // CHECK-NEXT: ptx.ld shared b32 [%a + 24]
  %c16 = ptx.constant 16 : i32
  %c8 = ptx.constant 8 : i32
  %0 = ptx.add s32 %a, %c16
  %1 = ptx.ld shared b32 [%0 + 8] -> i32
  // CHECK-NEXT: ptx.st shared b32 [%a + 24],
  %2 = ptx.add s32 %c8, %0
  ptx.st shared b32 [%2], {%1}
  // An offset that becomes zero goes.
  // CHECK-NEXT: ptx.st shared b32 [%a],
  ptx.st shared b32 [%0 + -16], {%1}
  // CHECK-NEXT: ptx.st global b32 [%g + 4],
  %w4 = ptx.constant 4 : i64
  %3 = ptx.add s64 %g, %w4
  ptx.st global b32 [%3], {%1}
  // An offset has 32 bits.
  // CHECK-NEXT: %[[WIDE:.*]] = ptx.constant 4294967296 : i64
  // CHECK-NEXT: %[[FAR:.*]] = ptx.add s64 %g, %[[WIDE]]
  // CHECK-NEXT: ptx.st global b32 [%[[FAR]]],
  %wide = ptx.constant 4294967296 : i64
  %4 = ptx.add s64 %g, %wide
  ptx.st global b32 [%4], {%1}
  // What is no address keeps its add.
  // CHECK-NEXT: %[[C16:.*]] = ptx.constant 16 : i32
  // CHECK-NEXT: %[[SUM:.*]] = ptx.add s32 %a, %[[C16]]
  // CHECK-NEXT: ptx.st shared b32 [%a + 16], {%[[SUM]]}
  %d16 = ptx.constant 16 : i32
  %5 = ptx.add s32 %a, %d16
  ptx.st shared b32 [%5], {%5}
  // Computations that nothing uses go, and what they used; effects stay.
  // CHECK-NEXT: ptx.ld shared b32 [%a]
  // CHECK-NEXT: ptx.ret
  %6 = ptx.mul lo s32 %n, %n
  %7 = ptx.add s32 %6, %n
  %8 = ptx.ld shared b32 [%a] -> i32
  ptx.ret
}

// The value of an address may be another operand too, one that comes first.
// CHECK-LABEL: ptx.kernel @coordinates
ptx.kernel @coordinates(%map : !ptx.tensor_map, %dst : i32, %base : i32) {
  // CHECK: %[[V:.*]] = ptx.add s32 %base,
  // CHECK-NEXT: ptx.cp.async.bulk.tensor.load [%dst], %map, {%[[V]], %[[V]]}, [%base + 8]
  %c8 = ptx.constant 8 : i32
  %v = ptx.add s32 %base, %c8
  ptx.cp.async.bulk.tensor.load [%dst], %map, {%v, %v}, [%v]
  ptx.ret
}

// Halves that are added are no address plus an offset.
// CHECK-LABEL: ptx.kernel @halves
ptx.kernel @halves(%a : i32, %n : i32) {
  // CHECK: %[[H:.*]] = ptx.add f16x2 %a,
  // CHECK-NEXT: ptx.st shared b32 [%[[H]]], {%n}
  %c8 = ptx.constant 8 : i32
  %h = ptx.add f16x2 %a, %c8
  ptx.st shared b32 [%h], {%n}
  ptx.ret
}

// The A of a matrix product is an address in tensor memory, or a descriptor, which is none.
// CHECK-LABEL: ptx.kernel @matrices
ptx.kernel @matrices(%d : i32, %a : i32, %g : i64, %b : i64, %i : i32) {
  %p = ptx.setp ne b32 %i, %i
  // CHECK: ptx.tcgen05.mma cta_group_1 f16 [%d + 8], [%a + 8], %b, %i, %p
  %c8 = ptx.constant 8 : i32
  %0 = ptx.add s32 %a, %c8
  %1 = ptx.add s32 %d, %c8
  ptx.tcgen05.mma cta_group_1 f16 [%1], [%0], %b, %i, %p
  // CHECK-NEXT: %[[C8:.*]] = ptx.constant 8 : i64
  // CHECK-NEXT: %[[G:.*]] = ptx.add s64 %g, %[[C8]]
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f16 [%d], %[[G]], %b, %i, %p
  %w8 = ptx.constant 8 : i64
  %2 = ptx.add s64 %g, %w8
  ptx.tcgen05.mma cta_group_1 f16 [%d], %2, %b, %i, %p
  ptx.ret
}
