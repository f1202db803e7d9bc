// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx | filecheck %s
// RUN: xdsl-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.shared_memory @barriers size 64 alignment 8
// CHECK-LABEL: ptx.kernel @kernel
// CHECK-NOT: arith.
// CHECK-NOT: scf.
// CHECK-NOT: cf.
// CHECK: ptx.ret
ptx.kernel @kernel(%n : i32, %out : i64) {
  %barriers = ptx.address_of @barriers
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    // PTX: $L__[[LOOP:[0-9]+]]:
    %eight = arith.constant 8 : i32
    %two = arith.constant 2 : i32
    // The address of the third barrier is one text.
    // PTX: mbarrier.init.shared::cta.b64 [barriers+16], 1;
    %offset = arith.muli %eight, %two : i32
    %third = arith.addi %barriers, %offset : i32
    %one = arith.constant 1 : i32
    // PTX: bra $L__[[LOOP]];
    ptx.mbarrier.init [%third], %one
  }
  ptx.ret
}
