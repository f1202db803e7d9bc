// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @multimem(%p : i64, %x : i32, %f : f32, %d : i64, %h : i16) {
  // CHECK: %a = ptx.multimem.ld_reduce add u32 [%p] -> i32
  // PTX: multimem.ld_reduce.add.u32 %r3, [%rd1];
  %a = ptx.multimem.ld_reduce add u32 [%p] -> i32
  // CHECK-NEXT: %b = ptx.multimem.ld_reduce acquire sys global max s64 [%p + 8] -> i64
  // PTX-NEXT: multimem.ld_reduce.acquire.sys.global.max.s64 %rd3, [%rd1+8];
  %b = ptx.multimem.ld_reduce acquire sys global max s64 [%p + 8] -> i64
  // CHECK-NEXT: %c, %c_1, %c_2, %c_3 = ptx.multimem.ld_reduce relaxed gpu global add f32 [%p] -> 4 x f32
  // PTX-NEXT: multimem.ld_reduce.relaxed.gpu.global.add.v4.f32 {%r4, %r5, %r6, %r7}, [%rd1];
  %c:4 = ptx.multimem.ld_reduce relaxed gpu global add f32 [%p] -> 4 x f32
  // CHECK-NEXT: %e, %e_1, %e_2, %e_3 = ptx.multimem.ld_reduce weak global add "acc::f32" bf16x2 [%p] -> 4 x i32
  // PTX-NEXT: multimem.ld_reduce.weak.global.add.acc::f32.v4.bf16x2 {%r8, %r9, %r10, %r11}, [%rd1];
  %e:4 = ptx.multimem.ld_reduce weak global add "acc::f32" bf16x2 [%p] -> 4 x i32
  // CHECK-NEXT: %g, %g_1, %g_2, %g_3, %g_4, %g_5, %g_6, %g_7 = ptx.multimem.ld_reduce weak min f16 [%p] -> 8 x f16
  // PTX-NEXT: multimem.ld_reduce.weak.min.v8.f16 {%rs2, %rs3, %rs4, %rs5, %rs6, %rs7, %rs8, %rs9}, [%rd1];
  %g:8 = ptx.multimem.ld_reduce weak min f16 [%p] -> 8 x f16
  // CHECK-NEXT: %i, %i_1 = ptx.multimem.ld_reduce weak global add "acc::f16" e4m3x4 [%p] -> 2 x i32
  // PTX-NEXT: multimem.ld_reduce.weak.global.add.acc::f16.v2.e4m3x4 {%r12, %r13}, [%rd1];
  %i:2 = ptx.multimem.ld_reduce weak global add "acc::f16" e4m3x4 [%p] -> 2 x i32
  // CHECK-NEXT: ptx.multimem.st b64 [%p], {%d}
  // PTX-NEXT: multimem.st.b64 [%rd1], %rd2;
  ptx.multimem.st b64 [%p], {%d}
  // CHECK-NEXT: ptx.multimem.st release cluster global f32 [%p + 16], {%f, %f}
  // PTX-NEXT: multimem.st.release.cluster.global.v2.f32 [%rd1+16], {%r2, %r2};
  ptx.multimem.st release cluster global f32 [%p + 16], {%f, %f}
  // CHECK-NEXT: ptx.multimem.st weak e5m2x2 [%p], {%h, %h, %h, %h}
  // PTX-NEXT: multimem.st.weak.v4.e5m2x2 [%rd1], {%rs1, %rs1, %rs1, %rs1};
  ptx.multimem.st weak e5m2x2 [%p], {%h, %h, %h, %h}
  // CHECK-NEXT: ptx.multimem.red add u32 [%p], {%x}
  // PTX-NEXT: multimem.red.add.u32 [%rd1], %r1;
  ptx.multimem.red add u32 [%p], {%x}
  // CHECK-NEXT: ptx.multimem.red release gpu global xor b64 [%p], {%d}
  // PTX-NEXT: multimem.red.release.gpu.global.xor.b64 [%rd1], %rd2;
  ptx.multimem.red release gpu global xor b64 [%p], {%d}
  // CHECK-NEXT: ptx.multimem.red relaxed sys global add f16x2 [%p], {%x, %x, %x, %x}
  // PTX-NEXT: multimem.red.relaxed.sys.global.add.v4.f16x2 [%rd1], {%r1, %r1, %r1, %r1};
  ptx.multimem.red relaxed sys global add f16x2 [%p], {%x, %x, %x, %x}
  ptx.ret
}
