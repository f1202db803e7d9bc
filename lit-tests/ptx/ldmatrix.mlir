// RUN: tcgen05-opt %s | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && tcgen05-opt %t.mlir | filecheck %s --match-full-lines
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
