// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @tile size 1024 alignment 16

ptx.kernel @ldmatrix(%a : i32) {
  // CHECK: %tile = ptx.address_of @tile
  %tile = ptx.address_of @tile
  // CHECK-NEXT: %one = ptx.ldmatrix m8n8 [%a] -> i32
  // PTX: ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%r2}, [%r1];
  %one = ptx.ldmatrix m8n8 [%a] -> i32
  // CHECK-NEXT: %two, %two_1 = ptx.ldmatrix m8n8 trans [%tile + 16] -> 2 x i32
  // PTX-NEXT: ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r3, %r4}, [tile+16];
  %two:2 = ptx.ldmatrix m8n8 trans [%tile + 16] -> 2 x i32
  // CHECK-NEXT: %four, %four_1, %four_2, %four_3 = ptx.ldmatrix m8n8 [%a] {spelling = "shared"} -> 4 x i32
  // PTX-NEXT: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r1];
  %four:4 = ptx.ldmatrix m8n8 [%a] {spelling = "shared"} -> 4 x i32
  // CHECK-NEXT: ptx.stmatrix m8n8 [%a], {%one}
  // PTX-NEXT: stmatrix.sync.aligned.m8n8.x1.shared::cta.b16 [%r1], {%r2};
  ptx.stmatrix m8n8 [%a], {%one}
  // CHECK-NEXT: ptx.stmatrix m8n8 trans [%a + 32], {%four, %four_1, %four_2, %four_3}
  // PTX-NEXT: stmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 [%r1+32], {%r5, %r6, %r7, %r8};
  ptx.stmatrix m8n8 trans [%a + 32], {%four#0, %four#1, %four#2, %four#3}
  // CHECK-NEXT: ptx.stmatrix m8n8 [%tile], {%two, %two_1} {spelling = "shared"}
  // PTX-NEXT: stmatrix.sync.aligned.m8n8.x2.shared.b16 [tile], {%r3, %r4};
  ptx.stmatrix m8n8 [%tile], {%two#0, %two#1} {spelling = "shared"}
  ptx.ret
}

ptx.kernel @of_bytes(%a : i32) {
  // CHECK: %d, %d_1 = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> 2 x i32
  // PTX: ldmatrix.sync.aligned.m16n16.x1.trans.shared::cta.b8 {%r2, %r3}, [%r1];
  %d:2 = ptx.ldmatrix.b8 m16n16 x1 trans b8 [%a] -> 2 x i32
  // CHECK-NEXT: %e, %e_1, %e_2, %e_3 = ptx.ldmatrix.b8 m16n16 x2 trans b8x16 b6x16_p32 [%a + 32] -> 4 x i32
  // PTX-NEXT: ldmatrix.sync.aligned.m16n16.x2.trans.shared::cta.b8x16.b6x16_p32 {%r4, %r5, %r6, %r7}, [%r1+32];
  %e:4 = ptx.ldmatrix.b8 m16n16 x2 trans b8x16 b6x16_p32 [%a + 32] -> 4 x i32
  // CHECK-NEXT: %f = ptx.ldmatrix.b8 m8n16 x1 b8x16 b4x16_p64 [%a] {spelling = "shared"} -> i32
  // PTX-NEXT: ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r8}, [%r1];
  %f = ptx.ldmatrix.b8 m8n16 x1 b8x16 b4x16_p64 [%a] {spelling = "shared"} -> i32
  // CHECK-NEXT: ptx.stmatrix.b8 [%a], {%f}
  // PTX-NEXT: stmatrix.sync.aligned.m16n8.x1.trans.shared::cta.b8 [%r1], {%r8};
  ptx.stmatrix.b8 [%a], {%f}
  // CHECK-NEXT: ptx.stmatrix.b8 [%a + 16], {%d, %d_1} {spelling = "shared"}
  // PTX-NEXT: stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r1+16], {%r2, %r3};
  ptx.stmatrix.b8 [%a + 16], {%d#0, %d#1} {spelling = "shared"}
  // CHECK-NEXT: %g = ptx.movmatrix m8n8 %f
  // PTX-NEXT: movmatrix.sync.aligned.m8n8.trans.b16 %r9, %r8;
  %g = ptx.movmatrix m8n8 %f
  ptx.ret
}
