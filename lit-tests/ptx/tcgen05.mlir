// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @barriers size 16 alignment 8

ptx.kernel @allocation(%columns : i32, %generic : i64) {
  // CHECK: %slot = ptx.address_of @slot
  %slot = ptx.address_of @slot
  // CHECK-NEXT: %c128 = ptx.constant 128 : i32
  %c128 = ptx.constant 128 : i32
  // CHECK-NEXT: ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c128
  // GENERIC: "ptx.tcgen05.alloc"(%slot, %c128) <{cta_group = "cta_group_1", space = "shared_cta"}> : (i32, i32) -> ()
  // PTX: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 128;
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c128
  // CHECK-NEXT: ptx.tcgen05.alloc cta_group_1 [%generic + 4], %columns
  // PTX-NEXT: tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1+4], %r1;
  ptx.tcgen05.alloc cta_group_1 [%generic + 4], %columns
  // CHECK-NEXT: ptx.tcgen05.dealloc cta_group_1 %columns, %c128
  // GENERIC: "ptx.tcgen05.dealloc"(%columns, %c128) <{cta_group = "cta_group_1"}> : (i32, i32) -> ()
  // PTX-NEXT: tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
  ptx.tcgen05.dealloc cta_group_1 %columns, %c128
  // CHECK-NEXT: ptx.tcgen05.relinquish_alloc_permit cta_group_1
  // GENERIC: "ptx.tcgen05.relinquish_alloc_permit"() <{cta_group = "cta_group_1"}> : () -> ()
  // PTX-NEXT: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  ptx.tcgen05.relinquish_alloc_permit cta_group_1
  ptx.ret
}

ptx.kernel @registers(%d : i32, %f : f32) {
  // CHECK: %one = ptx.constant 1.000000e+00 : f32
  %one = ptx.constant 1.0 : f32
  // CHECK-NEXT: %v, %v_1 = ptx.tcgen05.ld shape_32x32b x2 [%d] -> 2 x i32
  // GENERIC: %v, %v_1 = "ptx.tcgen05.ld"(%d) <{shape = "shape_32x32b", num = "x2"}> : (i32) -> (i32, i32)
  // PTX: tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%r1];
  %v:2 = ptx.tcgen05.ld shape_32x32b x2 [%d] -> 2 x i32
  // CHECK-NEXT: %w, %w_1 = ptx.tcgen05.ld shape_16x64b x2 [%d + 1048576] -> i32, f32
  // PTX-NEXT: tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%r1+1048576];
  %w:2 = ptx.tcgen05.ld shape_16x64b x2 [%d + 1048576] -> i32, f32
  // CHECK-NEXT: %x = ptx.tcgen05.ld shape_32x32b x1 pack [%d] -> i32
  // PTX-NEXT: tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%r{{[0-9]+}}}, [%r1];
  %x = ptx.tcgen05.ld shape_32x32b x1 pack [%d] -> i32
  // CHECK-NEXT: %y = ptx.tcgen05.ld shape_16x32bx2 x1 [%d + 4] split_offset(16) -> i32
  // PTX-NEXT: tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r{{[0-9]+}}}, [%r1+4], 16;
  %y = ptx.tcgen05.ld shape_16x32bx2 x1 [%d + 4] split_offset(16) -> i32
  // CHECK-NEXT: %q, %q_1, %q_2, %q_3 = ptx.tcgen05.ld shape_16x256b x1 [%d] -> 4 x f32
  // PTX-NEXT: tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%r1];
  %q:4 = ptx.tcgen05.ld shape_16x256b x1 [%d] -> 4 x f32
  // CHECK-NEXT: ptx.tcgen05.wait ld
  // GENERIC: "ptx.tcgen05.wait"() <{operation = "ld"}> : () -> ()
  // PTX-NEXT: tcgen05.wait::ld.sync.aligned;
  ptx.tcgen05.wait ld
  // CHECK-NEXT: ptx.tcgen05.st shape_32x32b x2 [%d], {%v, %f}
  // GENERIC: "ptx.tcgen05.st"(%d, %v, %f) <{shape = "shape_32x32b", num = "x2"}> : (i32, i32, f32) -> ()
  // PTX-NEXT: tcgen05.st.sync.aligned.32x32b.x2.b32 [%r1], {%r{{[0-9]+}}, %r2};
  ptx.tcgen05.st shape_32x32b x2 [%d], {%v#0, %f}
  // CHECK-NEXT: ptx.tcgen05.st shape_16x128b x1 [%d + 8], {%v_1, %v_1}
  // PTX-NEXT: tcgen05.st.sync.aligned.16x128b.x1.b32 [%r1+8], {%r{{[0-9]+}}, %r{{[0-9]+}}};
  ptx.tcgen05.st shape_16x128b x1 [%d + 8], {%v#1, %v#1}
  // CHECK-NEXT: ptx.tcgen05.st shape_32x32b x1 unpack [%d], {%x}
  // PTX-NEXT: tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%r1], {%r{{[0-9]+}}};
  ptx.tcgen05.st shape_32x32b x1 unpack [%d], {%x}
  // CHECK-NEXT: ptx.tcgen05.st shape_16x32bx2 x1 [%d] split_offset(2), {%y}
  // PTX-NEXT: tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%r1], 2, {%r{{[0-9]+}}};
  ptx.tcgen05.st shape_16x32bx2 x1 [%d] split_offset(2), {%y}
  // Only registers stand in these vectors.
  // CHECK-NEXT: ptx.tcgen05.st shape_32x32b x1 [%d], {%one}
  // PTX-NEXT: mov.b32 %r{{[0-9]+}}, 0f3F800000;
  // PTX-NEXT: tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r{{[0-9]+}}};
  ptx.tcgen05.st shape_32x32b x1 [%d], {%one}
  // CHECK-NEXT: ptx.tcgen05.wait st
  // PTX-NEXT: tcgen05.wait::st.sync.aligned;
  ptx.tcgen05.wait st
  ptx.ret
}

ptx.kernel @copies(%d : i32, %smem : i64) {
  // CHECK: ptx.tcgen05.cp cta_group_1 shape_128x256b [%d], %smem
  // GENERIC: "ptx.tcgen05.cp"(%d, %smem) <{cta_group = "cta_group_1", shape = "shape_128x256b"}> : (i32, i64) -> ()
  // PTX: tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;
  ptx.tcgen05.cp cta_group_1 shape_128x256b [%d], %smem
  // CHECK-NEXT: ptx.tcgen05.cp cta_group_1 shape_4x256b [%d + 8], %smem
  // PTX-NEXT: tcgen05.cp.cta_group::1.4x256b [%r1+8], %rd1;
  ptx.tcgen05.cp cta_group_1 shape_4x256b [%d + 8], %smem
  // CHECK-NEXT: ptx.tcgen05.cp cta_group_1 shape_64x128b warpx2_02_13 [%d], %smem
  // PTX-NEXT: tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%r1], %rd1;
  ptx.tcgen05.cp cta_group_1 shape_64x128b warpx2_02_13 [%d], %smem
  // CHECK-NEXT: ptx.tcgen05.cp cta_group_1 shape_32x128b warpx4 b4x16_p64 [%d], %smem
  // PTX-NEXT: tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b4x16_p64 [%r1], %rd1;
  ptx.tcgen05.cp cta_group_1 shape_32x128b warpx4 b4x16_p64 [%d], %smem
  // CHECK-NEXT: ptx.tcgen05.cp cta_group_1 shape_128x128b b6x16_p32 [%d], %smem
  // PTX-NEXT: tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32 [%r1], %rd1;
  ptx.tcgen05.cp cta_group_1 shape_128x128b b6x16_p32 [%d], %smem
  // CHECK-NEXT: ptx.tcgen05.shift cta_group_1 [%d]
  // GENERIC: "ptx.tcgen05.shift"(%d) <{cta_group = "cta_group_1"}> : (i32) -> ()
  // PTX-NEXT: tcgen05.shift.cta_group::1.down [%r1];
  ptx.tcgen05.shift cta_group_1 [%d]
  // CHECK-NEXT: ptx.tcgen05.shift cta_group_1 [%d + 2097152]
  // PTX-NEXT: tcgen05.shift.cta_group::1.down [%r1+2097152];
  ptx.tcgen05.shift cta_group_1 [%d + 2097152]
  ptx.ret
}

ptx.kernel @fences() {
  // CHECK: ptx.tcgen05.fence before_thread_sync
  // GENERIC: "ptx.tcgen05.fence"() <{order = "before_thread_sync"}> : () -> ()
  // PTX: tcgen05.fence::before_thread_sync;
  ptx.tcgen05.fence before_thread_sync
  // CHECK-NEXT: ptx.tcgen05.fence after_thread_sync
  // PTX-NEXT: tcgen05.fence::after_thread_sync;
  ptx.tcgen05.fence after_thread_sync
  ptx.ret
}

ptx.kernel @commit(%barrier : i32, %generic : i64, %mask : i16) {
  // CHECK: %barriers = ptx.address_of @barriers
  %barriers = ptx.address_of @barriers
  // CHECK-NEXT: %both = ptx.constant 3 : i16
  %both = ptx.constant 3 : i16
  // CHECK-NEXT: ptx.tcgen05.commit cta_group_1 shared_cluster [%barrier]
  // GENERIC: "ptx.tcgen05.commit"(%barrier) <{cta_group = "cta_group_1", space = "shared_cluster"}> : (i32) -> ()
  // PTX: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1];
  ptx.tcgen05.commit cta_group_1 shared_cluster [%barrier]
  // CHECK-NEXT: ptx.tcgen05.commit cta_group_1 [%generic]
  // PTX-NEXT: tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];
  ptx.tcgen05.commit cta_group_1 [%generic]
  // CHECK-NEXT: ptx.tcgen05.commit cta_group_1 shared_cluster multicast_mask(%both) [%barriers + 8]
  // PTX-NEXT: mov.b16 %rs[[MASK:[0-9]+]], 3;
  // PTX-NEXT: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [barriers+8], %rs[[MASK]];
  ptx.tcgen05.commit cta_group_1 shared_cluster multicast_mask(%both) [%barriers + 8]
  // CHECK-NEXT: ptx.tcgen05.commit cta_group_1 multicast_mask(%mask) [%generic + 8]
  // PTX-NEXT: tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64 [%rd1+8], %rs1;
  ptx.tcgen05.commit cta_group_1 multicast_mask(%mask) [%generic + 8]
  ptx.ret
}

// All tcgen05 instructions of a kernel have the same group.
ptx.kernel @pairs(%d : i32, %a : i64, %b : i64, %idesc : i32, %lanes : i32) attributes {cluster_dims = array<i32: 2>} {
  // CHECK: %slot = ptx.address_of @slot
  %slot = ptx.address_of @slot
  // CHECK-NEXT: %barriers = ptx.address_of @barriers
  %barriers = ptx.address_of @barriers
  // CHECK-NEXT: %columns = ptx.constant 512 : i32
  %columns = ptx.constant 512 : i32
  // CHECK-NEXT: %accumulate = ptx.constant true
  // PTX: setp.ne.b32 %p{{[0-9]+}}, 1, 0;
  %accumulate = ptx.constant true
  // CHECK-NEXT: ptx.tcgen05.alloc cta_group_2 shared_cta [%slot], %columns
  // PTX-NEXT: tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 512;
  ptx.tcgen05.alloc cta_group_2 shared_cta [%slot], %columns
  // CHECK-NEXT: ptx.tcgen05.cp cta_group_2 shape_64x128b warpx2_01_23 [%d], %a
  // PTX-NEXT: tcgen05.cp.cta_group::2.64x128b.warpx2::01_23 [%r1], %rd1;
  ptx.tcgen05.cp cta_group_2 shape_64x128b warpx2_01_23 [%d], %a
  // CHECK-NEXT: ptx.tcgen05.shift cta_group_2 [%d]
  // PTX-NEXT: tcgen05.shift.cta_group::2.down [%r1];
  ptx.tcgen05.shift cta_group_2 [%d]
  // CHECK-NEXT: ptx.tcgen05.commit cta_group_2 shared_cluster [%barriers]
  // PTX-NEXT: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [barriers];
  ptx.tcgen05.commit cta_group_2 shared_cluster [%barriers]
  // CHECK-NEXT: ptx.tcgen05.dealloc cta_group_2 %d, %columns
  // PTX-NEXT: tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r1, 512;
  ptx.tcgen05.dealloc cta_group_2 %d, %columns
  // CHECK-NEXT: ptx.tcgen05.relinquish_alloc_permit cta_group_2
  // PTX-NEXT: tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
  ptx.tcgen05.relinquish_alloc_permit cta_group_2
  ptx.ret
}
