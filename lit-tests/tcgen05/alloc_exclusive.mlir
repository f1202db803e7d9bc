// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05 compile %s -o %t.ptx && filecheck --input-file %t.ptx %s --check-prefix PTX
// RUN: tcgen05 import %t.ptx | filecheck %s --check-prefix READ
// RUN: tcgen05 check --strict %s | filecheck %s --check-prefix VERDICT
// RUN: tcgen05 sim %s --kernel exclusive --grid 1 | filecheck %s --check-prefix SIM

// An exclusive allocation has any multiple of 32 columns.
// VERDICT: remark: @exclusive: verified
// SIM: no error
module attributes {ptx.target = #ptx.target<"sm_100a", "9.4">} {
  ptx.shared_memory @slot size 4 alignment 4
  ptx.kernel @exclusive() attributes {reqntid = array<i32: 32>} {
    %slot = ptx.address_of @slot
    %c96 = arith.constant 96 : i32
    // CHECK: tcgen05.alloc exclusive %slot, %c96
    // GENERIC: "tcgen05.alloc"(%slot, %c96) <{exclusive, cta_group = 1 : i32}> : (i32, i32) -> ()
    // PTX: tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [slot], 96;
    // READ: ptx.tcgen05.alloc exclusive cta_group_1 shared_cta
    tcgen05.alloc exclusive %slot, %c96
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x96xf32>
    // CHECK: tcgen05.dealloc exclusive %d, %c96 : !tcgen05.tmem<128x96xf32>
    // PTX: tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %r{{[0-9]+}}, 96;
    // READ: ptx.tcgen05.dealloc exclusive cta_group_1
    tcgen05.dealloc exclusive %d, %c96 : !tcgen05.tmem<128x96xf32>
    ptx.ret
  }

  // The slot may come from elsewhere, and keywords may be in any order.
  // CHECK-LABEL: @parts
  ptx.kernel @parts(%first : i32, %second : i32, %columns : i32) {
    // CHECK: tcgen05.alloc exclusive cta_group_2 %first, %columns
    tcgen05.alloc cta_group_2 exclusive %first, %columns
    %d = tcgen05.load_address %second : !tcgen05.tmem<128x160xf32>
    // CHECK: tcgen05.dealloc exclusive cta_group_2 %d, %columns
    tcgen05.dealloc cta_group_2 %d, %columns {exclusive} : !tcgen05.tmem<128x160xf32>
    ptx.ret
  }
}
