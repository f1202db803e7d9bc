// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
ptx.kernel @memory_cache(%p : i64, %s : i32, %x : i32, %policy : i64) {
  // CHECK: %streamed = ptx.ld global cs b32 [%p] -> i32
  // PTX: ld.global.cs.b32 %r3, [%rd1];
  %streamed = ptx.ld global cs b32 [%p] -> i32
  // CHECK-NEXT: %last = ptx.ld global nc ca "L2::128B" u32 [%p] -> i32
  // PTX-NEXT: ld.global.nc.ca.L2::128B.u32 %r4, [%rd1];
  %last = ptx.ld global nc ca "L2::128B" u32 [%p] -> i32
  // CHECK-NEXT: %hinted = ptx.ld global nc "L1::no_allocate" "L2::256B" u32 cache_policy(%policy) [%p] -> i32
  // PTX-NEXT: ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.u32 %r5, [%rd1], %rd2;
  %hinted = ptx.ld global nc "L1::no_allocate" "L2::256B" u32 cache_policy(%policy) [%p] -> i32
  // CHECK-NEXT: %wide, %wide_1, %wide_2, %wide_3, %wide_4, %wide_5, %wide_6, %wide_7 = ptx.ld global "L1::evict_unchanged" "L2::evict_last" b32 [%p] -> 8 x i32
  // PTX-NEXT: ld.global.L1::evict_unchanged.L2::evict_last.v8.b32 {%r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13}, [%rd1];
  %wide:8 = ptx.ld global "L1::evict_unchanged" "L2::evict_last" b32 [%p] -> 8 x i32
  // CHECK-NEXT: %flag = ptx.ld relaxed gpu global "L1::evict_normal" "L2::64B" u32 [%p] -> i32
  // PTX-NEXT: ld.relaxed.gpu.global.L1::evict_normal.L2::64B.u32 %r14, [%rd1];
  %flag = ptx.ld relaxed gpu global "L1::evict_normal" "L2::64B" u32 [%p] -> i32
  // CHECK-NEXT: %near = ptx.ld shared lu b32 [%s] -> i32
  // PTX-NEXT: ld.shared.lu.b32 %r15, [%r1];
  %near = ptx.ld shared lu b32 [%s] -> i32
  // CHECK-NEXT: ptx.st global cg b32 [%p], {%x}
  // PTX-NEXT: st.global.cg.b32 [%rd1], %r2;
  ptx.st global cg b32 [%p], {%x}
  // CHECK-NEXT: ptx.st global wt b32 [%p], {%x, %x}
  // PTX-NEXT: st.global.wt.v2.b32 [%rd1], {%r2, %r2};
  ptx.st global wt b32 [%p], {%x, %x}
  // CHECK-NEXT: ptx.st global "L1::no_allocate" b32 cache_policy(%policy) [%p], {%x, %x, %x, %x}
  // PTX-NEXT: st.global.L1::no_allocate.L2::cache_hint.v4.b32 [%rd1], {%r2, %r2, %r2, %r2}, %rd2;
  ptx.st global "L1::no_allocate" b32 cache_policy(%policy) [%p], {%x, %x, %x, %x}
  // CHECK-NEXT: ptx.st global "L2::evict_first" b32 [%p], {%x, %x, %x, %x, %x, %x, %x, %x}
  // PTX-NEXT: st.global.L2::evict_first.v8.b32 [%rd1], {%r2, %r2, %r2, %r2, %r2, %r2, %r2, %r2};
  ptx.st global "L2::evict_first" b32 [%p], {%x, %x, %x, %x, %x, %x, %x, %x}
  // CHECK-NEXT: ptx.st relaxed sys b32 cache_policy(%policy) [%p], {%x}
  // PTX-NEXT: st.relaxed.sys.L2::cache_hint.b32 [%rd1], %r2, %rd2;
  ptx.st relaxed sys b32 cache_policy(%policy) [%p], {%x}
  ptx.ret
}
}
