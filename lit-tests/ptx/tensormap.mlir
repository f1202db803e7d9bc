// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
ptx.shared_memory @map size 128 alignment 128

ptx.kernel @change(%p : i64, %x : i32) {
  // CHECK: %map = ptx.address_of @map
  %map = ptx.address_of @map
  // CHECK-NEXT: ptx.tensormap.replace global_address "shared::cta" b64 [%map], %p
  // PTX: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [map], %rd1;
  ptx.tensormap.replace global_address "shared::cta" b64 [%map], %p
  // CHECK-NEXT: ptx.tensormap.replace rank global b32 [%p], %x
  // PTX-NEXT: tensormap.replace.tile.rank.global.b1024.b32 [%rd1], %r1;
  ptx.tensormap.replace rank global b32 [%p], %x
  // CHECK-NEXT: ptx.tensormap.replace.dimension box_dim "shared::cta" b32 [%map], 0, %x
  // PTX-NEXT: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], 0, %r1;
  ptx.tensormap.replace.dimension box_dim "shared::cta" b32 [%map], 0, %x
  // CHECK-NEXT: ptx.tensormap.replace.dimension global_dim global b32 [%p + 128], 4, %x
  // PTX-NEXT: tensormap.replace.tile.global_dim.global.b1024.b32 [%rd1+128], 4, %r1;
  ptx.tensormap.replace.dimension global_dim global b32 [%p + 128], 4, %x
  // CHECK-NEXT: ptx.tensormap.replace.dimension global_stride "shared::cta" b64 [%map], 3, %p
  // PTX-NEXT: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [map], 3, %rd1;
  ptx.tensormap.replace.dimension global_stride "shared::cta" b64 [%map], 3, %p
  // CHECK-NEXT: ptx.tensormap.replace.dimension element_stride b32 [%p], 1, %x
  // PTX-NEXT: tensormap.replace.tile.element_stride.b1024.b32 [%rd1], 1, %r1;
  ptx.tensormap.replace.dimension element_stride b32 [%p], 1, %x
  // CHECK-NEXT: ptx.tensormap.replace.mode elemtype "shared::cta" [%map], 15
  // PTX-NEXT: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [map], 15;
  ptx.tensormap.replace.mode elemtype "shared::cta" [%map], 15
  // CHECK-NEXT: ptx.tensormap.replace.mode interleave_layout "shared::cta" [%map], 2
  // PTX-NEXT: tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [map], 2;
  ptx.tensormap.replace.mode interleave_layout "shared::cta" [%map], 2
  // CHECK-NEXT: ptx.tensormap.replace.mode swizzle_mode global [%p], 3
  // PTX-NEXT: tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd1], 3;
  ptx.tensormap.replace.mode swizzle_mode global [%p], 3
  // CHECK-NEXT: ptx.tensormap.replace.mode swizzle_atomicity [%p], 3
  // PTX-NEXT: tensormap.replace.tile.swizzle_atomicity.b1024.b32 [%rd1], 3;
  ptx.tensormap.replace.mode swizzle_atomicity [%p], 3
  // CHECK-NEXT: ptx.tensormap.replace.mode fill_mode "shared::cta" [%map], 1
  // PTX-NEXT: tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [map], 1;
  ptx.tensormap.replace.mode fill_mode "shared::cta" [%map], 1
  // CHECK-NEXT: ptx.tensormap.cp_fenceproxy gpu [%p], [%map]
  // PTX-NEXT: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [map], 128;
  ptx.tensormap.cp_fenceproxy gpu [%p], [%map]
  // CHECK-NEXT: ptx.tensormap.cp_fenceproxy cta [%p + 128], [%map]
  // PTX-NEXT: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cta.sync.aligned [%rd1+128], [map], 128;
  ptx.tensormap.cp_fenceproxy cta [%p + 128], [%map]
  ptx.ret
}
}
