// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @tile size 256 alignment 32

ptx.kernel @loads(%p : i64, %structure : !ptx.param_array<16, 8>) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %a = ptx.ld b32 [%p] -> i32
  // GENERIC: %a = "ptx.ld"(%p) <{type = "b32"}> : (i64) -> i32
  // PTX: ld.b32 %r{{[0-9]+}}, [%rd1];
  %a = ptx.ld b32 [%p] -> i32
  // CHECK-NEXT: %b = ptx.ld global f32 [%p + 4] -> f32
  // PTX-NEXT: ld.global.f32 %r{{[0-9]+}}, [%rd1+4];
  %b = ptx.ld global f32 [%p + 4] -> f32
  // CHECK-NEXT: %c = ptx.ld global b32 [%p + -4] -> f32
  // PTX-NEXT: ld.global.b32 %r{{[0-9]+}}, [%rd1+-4];
  %c = ptx.ld global b32 [%p + -4] -> f32
  // CHECK-NEXT: %d, %d_1 = ptx.ld global nc "L1::no_allocate" u32 [%p] -> 2 x i32
  // PTX-NEXT: ld.global.nc.L1::no_allocate.v2.u32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd1];
  %d:2 = ptx.ld global nc "L1::no_allocate" u32 [%p] -> 2 x i32
  // CHECK-NEXT: %e, %f, %g, %h = ptx.ld shared b32 [%tile] -> i32, f32, i32, f32
  // PTX-NEXT: ld.shared.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [tile];
  %e, %f, %g, %h = ptx.ld shared b32 [%tile] -> i32, f32, i32, f32
  // CHECK-NEXT: %i = ptx.ld "shared::cta" b64 [%tile + 8] -> i64
  // PTX-NEXT: ld.shared::cta.b64 %rd{{[0-9]+}}, [tile+8];
  %i = ptx.ld "shared::cta" b64 [%tile + 8] -> i64
  // CHECK-NEXT: %j = ptx.ld "shared::cluster" u8 [%tile] -> i16
  // PTX-NEXT: ld.shared::cluster.u8 %rs{{[0-9]+}}, [tile];
  %j = ptx.ld "shared::cluster" u8 [%tile] -> i16
  // CHECK-NEXT: %k = ptx.ld param b64 [%structure + 8] -> i64
  // PTX-NEXT: ld.param.b64 %rd{{[0-9]+}}, [%rd2+8];
  %k = ptx.ld param b64 [%structure + 8] -> i64
  // CHECK-NEXT: %l = ptx.ld acquire gpu global b32 [%p] -> i32
  // PTX-NEXT: ld.acquire.gpu.global.b32 %r{{[0-9]+}}, [%rd1];
  %l = ptx.ld acquire gpu global b32 [%p] -> i32
  // CHECK-NEXT: %m = ptx.ld relaxed cta "shared::cta" u32 [%tile] -> i32
  // PTX-NEXT: ld.relaxed.cta.shared::cta.u32 %r{{[0-9]+}}, [tile];
  %m = ptx.ld relaxed cta "shared::cta" u32 [%tile] -> i32
  // CHECK-NEXT: %n = ptx.ld volatile s32 [%p] -> i32
  // PTX-NEXT: ld.volatile.s32 %r{{[0-9]+}}, [%rd1];
  %n = ptx.ld volatile s32 [%p] -> i32
  // CHECK-NEXT: %o = ptx.ld weak global "L1::evict_last" f64 [%p] -> f64
  // PTX-NEXT: ld.weak.global.L1::evict_last.f64 %rd{{[0-9]+}}, [%rd1];
  %o = ptx.ld weak global "L1::evict_last" f64 [%p] -> f64
  // CHECK-NEXT: %q, %q_1, %q_2, %q_3 = ptx.ld global b16 [%p] -> 4 x bf16
  // PTX-NEXT: ld.global.v4.b16 {%rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}}, [%rd1];
  %q:4 = ptx.ld global b16 [%p] -> 4 x bf16
  ptx.ret
}

ptx.kernel @stores(%p : i64, %x : i32, %f : f32, %l : i64, %h : i16) {
  // CHECK: %tile = ptx.address_of @tile + 16
  %tile = ptx.address_of @tile + 16
  // CHECK-NEXT: %zero = ptx.constant 0 : i32
  %zero = ptx.constant 0 : i32
  // CHECK-NEXT: %one = ptx.constant 1.000000e+00 : f32
  %one = ptx.constant 1.0 : f32
  // CHECK-NEXT: ptx.st b32 [%p], {%x}
  // GENERIC: "ptx.st"(%p, %x) <{type = "b32", operandSegmentSizes = array<i32: 1, 1, 0>}> : (i64, i32) -> ()
  // PTX: st.b32 [%rd1], %r1;
  ptx.st b32 [%p], {%x}
  // CHECK-NEXT: ptx.st global f32 [%p + 4], {%f}
  // PTX-NEXT: st.global.f32 [%rd1+4], %r2;
  ptx.st global f32 [%p + 4], {%f}
  // CHECK-NEXT: ptx.st global b32 [%p], {%x, %f}
  // PTX-NEXT: st.global.v2.b32 [%rd1], {%r1, %r2};
  ptx.st global b32 [%p], {%x, %f}
  // CHECK-NEXT: ptx.st "shared::cta" u32 [%tile], {%x, %x, %x, %x}
  // PTX-NEXT: st.shared::cta.v4.u32 [tile+16], {%r1, %r1, %r1, %r1};
  ptx.st "shared::cta" u32 [%tile], {%x, %x, %x, %x}
  // CHECK-NEXT: ptx.st shared b64 [%tile + 8], {%l}
  // PTX-NEXT: st.shared.b64 [tile+24], %rd2;
  ptx.st shared b64 [%tile + 8], {%l}
  // CHECK-NEXT: ptx.st "shared::cluster" u8 [%tile], {%h}
  // PTX-NEXT: st.shared::cluster.u8 [tile+16], %rs1;
  ptx.st "shared::cluster" u8 [%tile], {%h}
  // CHECK-NEXT: ptx.st release sys global b32 [%p], {%x}
  // PTX-NEXT: st.release.sys.global.b32 [%rd1], %r1;
  ptx.st release sys global b32 [%p], {%x}
  // CHECK-NEXT: ptx.st relaxed cluster "shared::cluster" b32 [%tile], {%x}
  // PTX-NEXT: st.relaxed.cluster.shared::cluster.b32 [tile+16], %r1;
  ptx.st relaxed cluster "shared::cluster" b32 [%tile], {%x}
  // CHECK-NEXT: ptx.st volatile shared b32 [%tile], {%x}
  // PTX-NEXT: st.volatile.shared.b32 [tile+16], %r1;
  ptx.st volatile "shared" b32 [%tile], {%x}
  // CHECK-NEXT: ptx.st weak global "L1::evict_first" b64 [%p], {%l, %l}
  // PTX-NEXT: st.weak.global.L1::evict_first.v2.b64 [%rd1], {%rd2, %rd2};
  ptx.st weak global "L1::evict_first" b64 [%p], {%l, %l}
  // Integers are immediates, in vectors as well; floats in vectors are not.
  // CHECK-NEXT: ptx.st global f32 [%p], {%one}
  // PTX-NEXT: st.global.f32 [%rd1], 0f3F800000;
  ptx.st global f32 [%p], {%one}
  // CHECK-NEXT: ptx.st global b32 [%p], {%zero, %zero}
  // PTX-NEXT: st.global.v2.b32 [%rd1], {0, 0};
  ptx.st global b32 [%p], {%zero, %zero}
  // CHECK-NEXT: ptx.st global b32 [%p], {%one, %zero}
  // PTX-NEXT: mov.b32 %r{{[0-9]+}}, 0f3F800000;
  // PTX-NEXT: st.global.v2.b32 [%rd1], {%r{{[0-9]+}}, 0};
  ptx.st global b32 [%p], {%one, %zero}
  ptx.ret
}

ptx.kernel @addresses(%p : i64, %x : i32, %rank : i32) {
  // CHECK: %generic = ptx.cvta global %p
  // GENERIC: %generic = "ptx.cvta"(%p) <{space = "global"}> : (i64) -> i64
  // PTX: cvta.global.u64 %rd{{[0-9]+}}, %rd1;
  %generic = ptx.cvta global %p
  // CHECK-NEXT: %generic_shared = ptx.cvta "shared::cta" %p
  // PTX-NEXT: cvta.shared::cta.u64 %rd{{[0-9]+}}, %rd1;
  %generic_shared = ptx.cvta "shared::cta" %p
  // CHECK-NEXT: %global = ptx.cvta.to global %p
  // GENERIC: %global = "ptx.cvta.to"(%p) <{space = "global"}> : (i64) -> i64
  // PTX-NEXT: cvta.to.global.u64 %rd{{[0-9]+}}, %rd1;
  %global = ptx.cvta.to global %p
  // CHECK-NEXT: %shared = ptx.cvta.to "shared::cluster" %p
  // PTX-NEXT: cvta.to.shared::cluster.u64 %rd{{[0-9]+}}, %rd1;
  %shared = ptx.cvta.to "shared::cluster" %p
  // CHECK-NEXT: %other = ptx.mapa %x, %rank
  // GENERIC: %other = "ptx.mapa"(%x, %rank) : (i32, i32) -> i32
  // PTX-NEXT: mapa.shared::cluster.u32 %r{{[0-9]+}}, %r1, %r2;
  %other = ptx.mapa %x, %rank
  // CHECK-NEXT: %first = ptx.constant 0 : i32
  %first = ptx.constant 0 : i32
  // CHECK-NEXT: %leader = ptx.mapa %x, %first
  // PTX-NEXT: mapa.shared::cluster.u32 %r{{[0-9]+}}, %r1, 0;
  %leader = ptx.mapa %x, %first
  ptx.ret
}
