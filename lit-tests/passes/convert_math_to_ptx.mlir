// RUN: tcgen05-opt %s -p convert-math-to-ptx | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

// CHECK-LABEL: ptx.kernel @functions
ptx.kernel @functions(%a : f32, %b : f32, %p : i64) {
  // CHECK: %{{.*}} = ptx.ex2 f32 %a
  // PTX: ex2.approx.f32
  %0 = math.exp2 %a : f32
  // CHECK: [[LOG2E:%[0-9]+]] = ptx.constant 1.442695
  // CHECK: [[SCALED:%[0-9]+]] = ptx.mul rn f32 %a, [[LOG2E]]
  // CHECK: ptx.ex2 f32 [[SCALED]]
  // PTX: mul.rn.f32 {{.*}}, 0f3FB8AA3B;
  %1 = math.exp %a : f32
  // CHECK: ptx.lg2 f32 %a
  %2 = math.log2 %a : f32
  // CHECK: [[LG2:%[0-9]+]] = ptx.lg2 f32 %a
  // CHECK: ptx.constant 0.693147
  // CHECK: ptx.mul rn f32 [[LG2]]
  %3 = math.log %a : f32
  // CHECK: ptx.rsqrt f32 %a
  %4 = math.rsqrt %a : f32
  // CHECK: ptx.sqrt rn f32 %a
  // PTX: sqrt.rn.f32
  %5 = math.sqrt %a : f32
  // CHECK: ptx.tanh f32 %a
  %6 = math.tanh %a : f32
  // CHECK: ptx.sin f32 %a
  %7 = math.sin %a : f32
  // CHECK: ptx.cos f32 %a
  %8 = math.cos %a : f32
  // CHECK: ptx.abs f32 %a
  %9 = math.absf %a : f32
  // CHECK: ptx.fma rn f32 %a, %b, %a
  // PTX: fma.rn.f32
  %10 = math.fma %a, %b, %a : f32
  // CHECK: ptx.cvt rmi f32 f32 %a
  // PTX: cvt.rmi.f32.f32
  %11 = math.floor %a : f32
  // CHECK: ptx.cvt rpi f32 f32 %a
  %12 = math.ceil %a : f32
  // CHECK: ptx.cvt rni f32 f32 %a
  %13 = math.roundeven %a : f32
  // CHECK: ptx.cvt rzi f32 f32 %a
  %14 = math.trunc %a : f32
  ptx.st global b32 [%p], {%0, %1, %2, %3}
  ptx.st global b32 [%p + 16], {%4, %5, %6, %7}
  ptx.st global b32 [%p + 32], {%8, %9, %10, %10}
  ptx.st global b32 [%p + 48], {%11, %12, %13, %14}
  ptx.ret
}

// Halves are computed as f32.
// CHECK-LABEL: ptx.kernel @halves
ptx.kernel @halves(%a : bf16, %b : f16) {
  // CHECK: [[WIDE:%[0-9]+]] = ptx.cvt f32 bf16 %a
  // CHECK: [[POWER:%[0-9]+]] = ptx.ex2 f32 [[WIDE]]
  // CHECK: ptx.cvt rn bf16 f32 [[POWER]]
  %0 = math.exp2 %a : bf16
  // CHECK: ptx.cvt f32 f16 %b
  // CHECK: ptx.sqrt rn f32
  // CHECK: ptx.cvt rn f16 f32
  %1 = math.sqrt %b : f16
  // CHECK: ptx.fma rn bf16 %a, %a, %a
  %2 = math.fma %a, %a, %a : bf16
  ptx.ret
}

// With fastmath<afn> subnormal numbers count as zero.
// CHECK-LABEL: ptx.kernel @flushed
ptx.kernel @flushed(%a : f32) {
  // CHECK: ptx.ex2 ftz f32 %a
  %0 = math.exp2 %a fastmath<afn> : f32
  // CHECK: [[SCALED:%[0-9]+]] = ptx.mul rn ftz f32 %a
  // CHECK: ptx.ex2 ftz f32 [[SCALED]]
  %1 = math.exp %a fastmath<fast> : f32
  // CHECK: ptx.tanh f32 %a
  %2 = math.tanh %a fastmath<afn> : f32
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @doubles
ptx.kernel @doubles(%a : f64) {
  // CHECK: ptx.sqrt rn f64 %a
  %0 = math.sqrt %a : f64
  // CHECK: ptx.abs f64 %a
  %1 = math.absf %a : f64
  ptx.ret
}
