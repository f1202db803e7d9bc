// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// What an MMA without scale factors may have besides its matrices.
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>
!t = !tcgen05.tmem<128x16xbf16, a>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @options(%slot : i32, %tile : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi ne, %n, %zero : i32
  %all = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  %d = tcgen05.slice %all[0, 0] : !tcgen05.tmem<128x128xf32> to !d
  %t = tcgen05.slice %all[0, 64] : !tcgen05.tmem<128x128xf32> to !t
  %a = tcgen05.descriptor %tile : !a
  %b = tcgen05.descriptor %tile : !b
  // CHECK: tcgen05.mma collector fill %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>}
  // PTX: tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r[[D:[0-9]+]]], %rd[[A:[0-9]+]], %rd[[B:[0-9]+]], 135267472, %p[[P:[0-9]+]];
  tcgen05.mma collector fill %d, %a, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
  // CHECK: tcgen05.mma collector use %d, %a, %b accumulate %p scale_input_d(15) {
  // PTX: tcgen05.mma.cta_group::1.kind::f16.collector::a::use [%r[[D]]], %rd[[A]], %rd[[B]], 135267472, %p[[P]], 15;
  tcgen05.mma collector use %d, %a, %b accumulate %p scale_input_d(15) {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
  // CHECK: tcgen05.mma ashift collector lastuse %d, %t, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>}
  // PTX: tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::lastuse [%r[[D]]], [%r{{[0-9]+}}{{(\+[0-9]+)?}}], %rd[[B]], 135267472, %p[[P]];
  tcgen05.mma ashift collector lastuse %d, %t, %b accumulate %p {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !t, !b
  // CHECK: tcgen05.mma %d, %a, %b accumulate %p disable_output_lane(%n, %zero, %n, %n) {idesc
  // PTX: tcgen05.mma.cta_group::1.kind::f16 [%r[[D]]], %rd[[A]], %rd[[B]], 135267472, {%r3, %r{{[0-9]+}}, %r3, %r3}, %p[[P]];
  tcgen05.mma %d, %a, %b accumulate %p disable_output_lane(%n, %zero, %n, %n) {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
  // CHECK: tcgen05.mma collector discard %d, %a, %b accumulate %p descriptor %n kind tf32 disable_output_lane(%n, %zero, %n, %n) scale_input_d(0)
  // PTX: tcgen05.mma.cta_group::1.kind::tf32.collector::a::discard [%r[[D]]], %rd[[A]], %rd[[B]], %r3, {%r3, %r{{[0-9]+}}, %r3, %r3}, %p[[P]], 0;
  tcgen05.mma collector discard %d, %a, %b accumulate %p descriptor %n kind tf32 disable_output_lane(%n, %zero, %n, %n) scale_input_d(0) : !d, !a, !b
  ptx.ret
}
