// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
ptx.shared_memory @tile size 1024 alignment 16

ptx.kernel @stores(%to : i32, %full : i32, %x : i32, %f : f32, %d : i64, %h : i16, %g : i64, %n : i64) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %bytes = ptx.constant 64 : i64
  %bytes = ptx.constant 64 : i64
  // CHECK-NEXT: %wide = ptx.pack b128 {%d, %d}
  // PTX: mov.b128 %rq1, {%rd1, %rd1};
  %wide = ptx.pack b128 {%d, %d}
  // CHECK-NEXT: ptx.st.async b32 [%to + 4], {%x}, [%full + 8]
  // PTX-NEXT: st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1+4], %r3, [%r2+8];
  ptx.st.async b32 [%to + 4], {%x}, [%full + 8]
  // CHECK-NEXT: ptx.st.async weak u32 [%to], {%x, %x}, [%full]
  // PTX-NEXT: st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r1], {%r3, %r3}, [%r2];
  ptx.st.async weak u32 [%to], {%x, %x}, [%full]
  // CHECK-NEXT: ptx.st.async f32 [%to], {%f, %f, %f, %f}, [%full]
  // PTX-NEXT: st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%r1], {%r4, %r4, %r4, %r4}, [%r2];
  ptx.st.async f32 [%to], {%f, %f, %f, %f}, [%full]
  // CHECK-NEXT: ptx.st.async s64 [%to], {%d, %d}, [%full]
  // PTX-NEXT: st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.s64 [%r1], {%rd1, %rd1}, [%r2];
  ptx.st.async s64 [%to], {%d, %d}, [%full]
  // CHECK-NEXT: ptx.st.async b128 [%to], {%wide}, [%full]
  // PTX-NEXT: st.async.shared::cluster.mbarrier::complete_tx::bytes.b128 [%r1], %rq1, [%r2];
  ptx.st.async b128 [%to], {%wide}, [%full]
  // CHECK-NEXT: ptx.red.async add u64 [%to], %d, [%full]
  // PTX-NEXT: red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r1], %rd1, [%r2];
  ptx.red.async add u64 [%to], %d, [%full]
  // CHECK-NEXT: ptx.red.async inc u32 [%to + 4], %x, [%full + 8]
  // PTX-NEXT: red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r1+4], %r3, [%r2+8];
  ptx.red.async inc u32 [%to + 4], %x, [%full + 8]
  // CHECK-NEXT: ptx.st.async.global release gpu global f32 [%g + 4], %f
  // PTX-NEXT: st.async.release.gpu.global.f32 [%rd2+4], %r4;
  ptx.st.async.global release gpu global f32 [%g + 4], %f
  // CHECK-NEXT: ptx.st.async.global mmio release sys s16 [%g], %h
  // PTX-NEXT: st.async.mmio.release.sys.s16 [%rd2], %rs1;
  ptx.st.async.global mmio release sys s16 [%g], %h
  // CHECK-NEXT: ptx.red.async.global release gpu global min s32 [%g], %x
  // PTX-NEXT: red.async.release.gpu.global.min.s32 [%rd2], %r3;
  ptx.red.async.global release gpu global min s32 [%g], %x
  // CHECK-NEXT: ptx.red.async.global mmio release sys add u64 [%g + 8], %d
  // PTX-NEXT: red.async.mmio.release.sys.add.u64 [%rd2+8], %rd1;
  ptx.red.async.global mmio release sys add u64 [%g + 8], %d
  // CHECK-NEXT: ptx.st.bulk weak [%to + 8], %n
  // PTX-NEXT: st.bulk.weak.shared::cta [%r1+8], %rd3, 0;
  ptx.st.bulk weak [%to + 8], %n
  // CHECK-NEXT: ptx.st.bulk [%g], %bytes {spelling = "generic"}
  // PTX-NEXT: st.bulk [%rd2], 64, 0;
  ptx.st.bulk [%g], %bytes {spelling = "generic"}
  ptx.ret
}
}
