// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @alloc(%columns : i32) {
  %slot = ptx.address_of @slot
  %c128 = arith.constant 128 : i32
  // CHECK: tcgen05.alloc %slot, %c128
  // GENERIC: "tcgen05.alloc"(%slot, %c128) <{cta_group = 1 : i32}> : (i32, i32) -> ()
  // PTX: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 128;
  tcgen05.alloc %slot, %c128
  // CHECK: %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  // GENERIC: %d = "tcgen05.load_address"(%slot) : (i32) -> !tcgen05.tmem<128x128xf32>
  // PTX: ld.shared::cta.b32 %r[[D:[0-9]+]], [slot];
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  // Columns are counted in cells: 128 columns of A, packed, are 64.
  // CHECK: %a = tcgen05.load_address %slot : !tcgen05.tmem<128x128xbf16, a>
  %a = tcgen05.load_address %slot : !tcgen05.tmem<128x128xbf16, a>
  // CHECK: tcgen05.dealloc %d, %c128 : !tcgen05.tmem<128x128xf32>
  // GENERIC: "tcgen05.dealloc"(%d, %c128) <{cta_group = 1 : i32}> : (!tcgen05.tmem<128x128xf32>, i32) -> ()
  // PTX: tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r[[D]], 128;
  tcgen05.dealloc %d, %c128 : !tcgen05.tmem<128x128xf32>
  // CHECK: tcgen05.relinquish_alloc_permit{{$}}
  // GENERIC: "tcgen05.relinquish_alloc_permit"() <{cta_group = 1 : i32}> : () -> ()
  // PTX: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  tcgen05.relinquish_alloc_permit
  ptx.ret
}

ptx.kernel @alloc_of_a_pair(%columns : i32) {
  %slot = ptx.address_of @slot
  // CHECK: tcgen05.alloc cta_group_2 %slot, %columns
  // GENERIC: "tcgen05.alloc"(%slot, %columns) <{cta_group = 2 : i32}> : (i32, i32) -> ()
  // PTX: tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], %r1;
  tcgen05.alloc cta_group_2 %slot, %columns
  // PTX: ld.shared::cta.b32 %r[[E:[0-9]+]], [slot];
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x128xf32>
  // CHECK: tcgen05.dealloc cta_group_2 %d, %columns : !tcgen05.tmem<128x128xf32>
  // PTX: tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r[[E]], %r1;
  tcgen05.dealloc cta_group_2 %d, %columns : !tcgen05.tmem<128x128xf32>
  // CHECK: tcgen05.relinquish_alloc_permit cta_group_2
  // PTX: tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
  tcgen05.relinquish_alloc_permit cta_group_2
  ptx.ret
}
