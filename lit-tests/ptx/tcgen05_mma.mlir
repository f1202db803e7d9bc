// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t 'ptx{version="8.8"}' -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @mma(%d : i32, %a : i64, %b : i64, %a_tensor : i32, %idesc : i32, %lanes : i32) {
  // CHECK: %zero = ptx.constant 0 : i32
  %zero = ptx.constant 0 : i32
  // CHECK-NEXT: %accumulate = ptx.setp ne b32 %lanes, %zero
  // PTX: setp.ne.b32 %p{{[0-9]+}}, %r4, 0;
  %accumulate = ptx.setp ne b32 %lanes, %zero
  // CHECK-NEXT: %fresh = ptx.constant false
  // PTX-NEXT: setp.ne.b32 %p{{[0-9]+}}, 0, 0;
  %fresh = ptx.constant false
  // CHECK-NEXT: %descriptor = ptx.constant 136314896 : i32
  %descriptor = ptx.constant 136314896 : i32
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %accumulate
  // GENERIC: "ptx.tcgen05.mma"(%d, %a, %b, %idesc, %accumulate) <{cta_group = "cta_group_1", kind = "f16"}> : (i32, i64, i64, i32, i1) -> ()
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %p{{[0-9]+}};
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %accumulate
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f16 [%d + 128], %a, %b, %descriptor, %fresh
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f16 [%r1+128], %rd1, %rd2, 136314896, %p{{[0-9]+}};
  ptx.tcgen05.mma cta_group_1 f16 [%d + 128], %a, %b, %descriptor, %fresh
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f8f6f4 a fill [%d], %a, %b, %idesc, %accumulate
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f8f6f4.collector::a::fill [%r1], %rd1, %rd2, %r3, %p{{[0-9]+}};
  ptx.tcgen05.mma cta_group_1 f8f6f4 a fill [%d], %a, %b, %idesc, %accumulate
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 i8 [%d], [%a_tensor], %b, %idesc, %accumulate
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::i8 [%r1], [%r2], %rd2, %r3, %p{{[0-9]+}};
  ptx.tcgen05.mma cta_group_1 i8 [%d], [%a_tensor], %b, %idesc, %accumulate
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f16 ashift a lastuse [%d], [%a_tensor], %b, %idesc, %accumulate
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::lastuse [%r1], [%r2], %rd2, %r3, %p{{[0-9]+}};
  ptx.tcgen05.mma cta_group_1 f16 ashift a lastuse [%d], [%a_tensor], %b, %idesc, %accumulate
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %accumulate scale_input_d(3)
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %p{{[0-9]+}}, 3;
  ptx.tcgen05.mma cta_group_1 f16 [%d], %a, %b, %idesc, %accumulate scale_input_d(3)
  // CHECK-NEXT: ptx.tcgen05.mma cta_group_1 tf32 [%d], %a, %b, %idesc disable_output_lane(%lanes, %lanes, %lanes, %zero), %accumulate
  // PTX-NEXT: mov.b32 %r{{[0-9]+}}, 0;
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::tf32 [%r1], %rd1, %rd2, %r3, {%r4, %r4, %r4, %r{{[0-9]+}}}, %p{{[0-9]+}};
  ptx.tcgen05.mma cta_group_1 tf32 [%d], %a, %b, %idesc disable_output_lane(%lanes, %lanes, %lanes, %zero), %accumulate
  ptx.ret
}

ptx.kernel @scaled(%d : i32, %a : i64, %b : i64, %at : i32, %e : i32, %x : i32, %sfa : i32, %sfb : i32) {
  // CHECK: %p = ptx.setp ne b32 %x, %x
  // PTX: setp.ne.b32 %p{{[0-9]+}}, %r4, %r4;
  %p = ptx.setp ne b32 %x, %x
  // CHECK-NEXT: ptx.tcgen05.mma.block_scale cta_group_1 mxf8f6f4 [%d], %a, %b, %x, [%sfa], [%sfb], %p
  // GENERIC: "ptx.tcgen05.mma.block_scale"(%d, %a, %b, %x, %p, %sfa, %sfb) <{cta_group = "cta_group_1", kind = "mxf8f6f4"}> : (i32, i64, i64, i32, i1, i32, i32) -> ()
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r1], %rd1, %rd2, %r4, [%r5], [%r6], %p{{[0-9]+}};
  ptx.tcgen05.mma.block_scale cta_group_1 mxf8f6f4 [%d], %a, %b, %x, [%sfa], [%sfb], %p
  // CHECK-NEXT: ptx.tcgen05.mma.block_scale cta_group_1 mxf8f6f4 scale_vec_1x [%d], [%at], %b, %x, [%sfa], [%sfb], %p
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%r1], [%r2], %rd2, %r4, [%r5], [%r6], %p{{[0-9]+}};
  ptx.tcgen05.mma.block_scale cta_group_1 mxf8f6f4 scale_vec_1x [%d], [%at], %b, %x, [%sfa], [%sfb], %p
  // CHECK-NEXT: ptx.tcgen05.mma.block_scale cta_group_1 mxf4 scale_vec_2x a fill [%d], %a, %b, %x, [%sfa + 4], [%sfb + 8], %p
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X.collector::a::fill [%r1], %rd1, %rd2, %r4, [%r5+4], [%r6+8], %p{{[0-9]+}};
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4 scale_vec_2x a fill [%d], %a, %b, %x, [%sfa + 4], [%sfb + 8], %p
  // CHECK-NEXT: ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 scale_vec_4x a lastuse [%d], %a, %b, %x, [%sfa], [%sfb], %p
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X.collector::a::lastuse [%r1], %rd1, %rd2, %r4, [%r5], [%r6], %p{{[0-9]+}};
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 scale_vec_4x a lastuse [%d], %a, %b, %x, [%sfa], [%sfb], %p
  // CHECK-NEXT: ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 block16 [%d], %a, %b, %x, [%sfa], [%sfb], %p
  // PTX-NEXT: tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [%r1], %rd1, %rd2, %r4, [%r5], [%r6], %p{{[0-9]+}};
  ptx.tcgen05.mma.block_scale cta_group_1 mxf4nvf4 block16 [%d], %a, %b, %x, [%sfa], [%sfb], %p
  // CHECK-NEXT: ptx.tcgen05.mma.sp.block_scale cta_group_1 mxf8f6f4 block32 [%d], %a, %b, [%e], %x, [%sfa], [%sfb], %p
  // GENERIC: "ptx.tcgen05.mma.sp.block_scale"(%d, %a, %b, %x, %p, %e, %sfa, %sfb) <{cta_group = "cta_group_1", kind = "mxf8f6f4", scale_vectorsize = "block32"}> : (i32, i64, i64, i32, i1, i32, i32, i32) -> ()
  // PTX-NEXT: tcgen05.mma.sp.cta_group::1.kind::mxf8f6f4.block_scale.block32 [%r1], %rd1, %rd2, [%r3], %r4, [%r5], [%r6], %p{{[0-9]+}};
  ptx.tcgen05.mma.sp.block_scale cta_group_1 mxf8f6f4 block32 [%d], %a, %b, [%e], %x, [%sfa], [%sfb], %p
  // CHECK-NEXT: ptx.tcgen05.mma.sp.block_scale cta_group_1 mxf4nvf4 scale_vec_2x [%d], [%at + -4], %b, [%e + 2], %x, [%sfa], [%sfb], %p
  // PTX-NEXT: tcgen05.mma.sp.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::2X [%r1], [%r2+-4], %rd2, [%r3+2], %r4, [%r5], [%r6], %p{{[0-9]+}};
  ptx.tcgen05.mma.sp.block_scale cta_group_1 mxf4nvf4 scale_vec_2x [%d], [%at + -4], %b, [%e + 2], %x, [%sfa], [%sfb], %p
  ptx.ret
}

ptx.kernel @sparse(%d : i32, %a : i64, %b : i64, %at : i32, %e : i32, %x : i32, %sfa : i32, %sfb : i32) {
  // CHECK: %p = ptx.setp ne b32 %x, %x
  // PTX: setp.ne.b32 %p{{[0-9]+}}, %r4, %r4;
  %p = ptx.setp ne b32 %x, %x
  // CHECK-NEXT: ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %b, [%e], %x, %p
  // GENERIC: "ptx.tcgen05.mma.sp"(%d, %a, %b, %x, %p, %e) <{cta_group = "cta_group_1", kind = "f16"}> : (i32, i64, i64, i32, i1, i32) -> ()
  // PTX-NEXT: tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r3], %r4, %p{{[0-9]+}};
  ptx.tcgen05.mma.sp cta_group_1 f16 [%d], %a, %b, [%e], %x, %p
  // CHECK-NEXT: ptx.tcgen05.mma.sp cta_group_1 f16 ashift a lastuse [%d], [%at], %b, [%e], %x disable_output_lane(%x, %x, %x, %x), %p scale_input_d(5)
  // PTX-NEXT: tcgen05.mma.sp.cta_group::1.kind::f16.ashift.collector::a::lastuse [%r1], [%r2], %rd2, [%r3], %r4, {%r4, %r4, %r4, %r4}, %p{{[0-9]+}}, 5;
  ptx.tcgen05.mma.sp cta_group_1 f16 ashift a lastuse [%d], [%at], %b, [%e], %x disable_output_lane(%x, %x, %x, %x), %p scale_input_d(5)
  ptx.ret
}

ptx.kernel @weight_stationary(%d : i32, %a : i64, %b : i64, %at : i32, %e : i32, %x : i32, %sfa : i32, %sfb : i32) {
  // CHECK: %p = ptx.setp ne b32 %x, %x
  // PTX: setp.ne.b32 %p{{[0-9]+}}, %r4, %r4;
  %p = ptx.setp ne b32 %x, %x
  // CHECK-NEXT: ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %x, %p
  // GENERIC: "ptx.tcgen05.mma.ws"(%d, %a, %b, %x, %p) <{cta_group = "cta_group_1", kind = "f16"}> : (i32, i64, i64, i32, i1) -> ()
  // PTX-NEXT: tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r4, %p{{[0-9]+}};
  ptx.tcgen05.mma.ws cta_group_1 f16 [%d], %a, %b, %x, %p
  // CHECK-NEXT: ptx.tcgen05.mma.ws cta_group_1 i8 b0 fill [%d], [%at], %b, %x, %p zero_column_mask(%a)
  // PTX-NEXT: tcgen05.mma.ws.cta_group::1.kind::i8.collector::b0::fill [%r1], [%r2], %rd2, %r4, %p{{[0-9]+}}, %rd1;
  ptx.tcgen05.mma.ws cta_group_1 i8 b0 fill [%d], [%at], %b, %x, %p zero_column_mask(%a)
  // CHECK-NEXT: ptx.tcgen05.mma.ws.sp cta_group_1 tf32 b3 use [%d], %a, %b, [%e], %x, %p zero_column_mask(%a)
  // GENERIC: "ptx.tcgen05.mma.ws.sp"(%d, %a, %b, %x, %p, %e, %a) <{cta_group = "cta_group_1", kind = "tf32", collector_buffer = "b3", collector_op = "use"}> : (i32, i64, i64, i32, i1, i32, i64) -> ()
  // PTX-NEXT: tcgen05.mma.ws.sp.cta_group::1.kind::tf32.collector::b3::use [%r1], %rd1, %rd2, [%r3], %r4, %p{{[0-9]+}}, %rd1;
  ptx.tcgen05.mma.ws.sp cta_group_1 tf32 b3 use [%d], %a, %b, [%e], %x, %p zero_column_mask(%a)
  ptx.ret
}
