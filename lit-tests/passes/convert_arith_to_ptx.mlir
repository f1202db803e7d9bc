// RUN: tcgen05-opt %s -p convert-arith-to-ptx | filecheck %s
// RUN: xdsl-opt %s -p convert-arith-to-ptx | filecheck %s

// CHECK-LABEL: ptx.kernel @integers
ptx.kernel @integers(%a : i32, %b : i32, %h : i16, %w : i64, %out : i64) {
  // CHECK-NEXT: %[[ONE:.*]] = ptx.constant 1 : i64
  // CHECK: ptx.add s32 %a, %b
  %0 = arith.addi %a, %b : i32
  // CHECK-NEXT: ptx.mul lo s16 %h, %h
  %1 = arith.muli %h, %h : i16
  // CHECK-NEXT: ptx.div u64 %w, %w
  %2 = arith.divui %w, %w : i64
  // CHECK-NEXT: ptx.rem s32 %a, %b
  %3 = arith.remsi %a, %b : i32
  // CHECK-NEXT: ptx.and b32 %a, %b
  %4 = arith.andi %a, %b : i32
  // CHECK-NEXT: ptx.max u32 %a, %b
  %5 = arith.maxui %a, %b : i32
  // Amounts of shifts are 32 bits wide in PTX.
  // CHECK-NEXT: %[[AMOUNT:.*]] = ptx.cvt u32 u64 %w
  // CHECK-NEXT: ptx.shl b64 %w, %[[AMOUNT]]
  %6 = arith.shli %w, %w : i64
  // CHECK-NEXT: ptx.shr s32 %a, %b
  %7 = arith.shrsi %a, %b : i32
  // CHECK-NEXT: %[[LESS:.*]] = ptx.setp lt u32 %a, %b
  %8 = arith.cmpi ult, %a, %b : i32
  // CHECK-NEXT: ptx.selp b32 %a, %b, %[[LESS]]
  %9 = arith.select %8, %a, %b : i32
  // Index is a 64-bit integer.
  // CHECK-NEXT: %[[INDEX:.*]] = ptx.cvt s64 s32 %a
  %10 = arith.index_cast %a : i32 to index
  // CHECK-NEXT: ptx.add s64 %[[INDEX]], %[[ONE]]
  %11 = arith.constant 1 : index
  %12 = arith.addi %10, %11 : index
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @predicates
ptx.kernel @predicates(%a : i32, %w : i64) {
  // CHECK: %[[AND:.*]] = ptx.and b32 %a,
  // CHECK-NEXT: %[[P:.*]] = ptx.setp ne b32 %[[AND]],
  %p = arith.trunci %a : i32 to i1
  // CHECK-NEXT: %[[Q:.*]] = ptx.setp eq b64 %w, %w
  %q = arith.cmpi eq, %w, %w : i64
  // CHECK-NEXT: ptx.xor pred %[[P]], %[[Q]]
  %0 = arith.addi %p, %q : i1
  // CHECK-NEXT: ptx.selp b32 %{{.*}}, %{{.*}}, %[[P]]
  %1 = arith.extsi %p : i1 to i32
  // CHECK: %[[TRUE:.*]] = ptx.selp b32 %{{.*}}, %{{.*}}, %[[P]]
  // CHECK-NEXT: ptx.cvt rn f32 u32 %[[TRUE]]
  %number = arith.uitofp %p : i1 to f32
  // CHECK-NEXT: %[[NOT:.*]] = ptx.not pred %[[P]]
  // CHECK-NEXT: ptx.and pred %[[NOT]], %[[Q]]
  %2 = arith.cmpi ult, %p, %q : i1
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @floats
ptx.kernel @floats(%a : f32, %b : f32, %h : bf16, %d : f64, %n : i32) {
  // CHECK: ptx.add rn f32 %a, %b
  %0 = arith.addf %a, %b : f32
  // CHECK-NEXT: ptx.div rn f64 %d, %d
  %1 = arith.divf %d, %d : f64
  // PTX has no division of halves.
  // CHECK-NEXT: %[[X:.*]] = ptx.cvt f32 bf16 %h
  // CHECK-NEXT: %[[Y:.*]] = ptx.cvt f32 bf16 %h
  // CHECK-NEXT: %[[Z:.*]] = ptx.div rn f32 %[[X]], %[[Y]]
  // CHECK-NEXT: ptx.cvt rn bf16 f32 %[[Z]]
  %2 = arith.divf %h, %h : bf16
  // CHECK-NEXT: ptx.max NaN f32 %a, %b
  %3 = arith.maximumf %a, %b : f32
  // CHECK-NEXT: ptx.max f32 %a, %b
  %4 = arith.maxnumf %a, %b : f32
  // CHECK-NEXT: ptx.neg bf16 %h
  %5 = arith.negf %h : bf16
  // CHECK-NEXT: ptx.setp ltu f32 %a, %b
  %6 = arith.cmpf ult, %a, %b : f32
  // CHECK-NEXT: ptx.setp num f32 %a, %b
  %7 = arith.cmpf ord, %a, %b : f32
  // CHECK-NEXT: ptx.cvt rn bf16 f32 %a
  %8 = arith.truncf %a : f32 to bf16
  // CHECK-NEXT: ptx.cvt f64 f32 %a
  %9 = arith.extf %a : f32 to f64
  // CHECK-NEXT: ptx.cvt rn f32 s32 %n
  %10 = arith.sitofp %n : i32 to f32
  // CHECK-NEXT: ptx.cvt rzi u32 f32 %a
  %11 = arith.fptoui %a : f32 to i32
  // CHECK-NEXT: ptx.mov b32 %a{{$}}
  %12 = arith.bitcast %a : f32 to i32
  // CHECK-NEXT: %[[P:.*]] = ptx.setp eq f32 %a, %b
  %13 = arith.cmpf oeq, %a, %b : f32
  // CHECK-NEXT: ptx.selp b16 %h, %h, %[[P]] -> bf16
  %14 = arith.select %13, %h, %h : bf16
  // CHECK-NEXT: ptx.constant 1.500000e+00 : f32
  %15 = arith.constant 1.5 : f32
  // CHECK-NEXT: ptx.ret
  ptx.ret
}

// Constants fold, stand at the top, and equal ones are one; what is undefined does not fold.
// CHECK-LABEL: ptx.kernel @constants
ptx.kernel @constants(%out : i64) {
  // CHECK-DAG: %[[ZERO:.*]] = ptx.constant 0 : i32
  // CHECK-DAG: %[[TWELVE:.*]] = ptx.constant 12 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c0 = arith.constant 0 : i32
  %0 = arith.muli %c3, %c4 : i32
  // CHECK: ptx.st global b32 [%out], {%[[TWELVE]]}
  ptx.st global b32 [%out], {%0}
  %1 = arith.subi %c4, %c4 : i32
  // CHECK-NEXT: ptx.st global b32 [%out], {%[[ZERO]]}
  ptx.st global b32 [%out], {%1}
  // CHECK-NEXT: ptx.div s32
  %2 = arith.divsi %c3, %c0 : i32
  // CHECK-NEXT: ptx.st
  ptx.st global b32 [%out], {%2}
  // CHECK-NEXT: ptx.ret
  ptx.ret
}
