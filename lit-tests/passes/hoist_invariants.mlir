// RUN: tcgen05-opt %s -p tcgen05-hoist-invariants | filecheck %s

!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<256x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x256xf32>
#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>
ptx.shared_memory @tiles alignment 1024

// Stages of one tile of A and one of B. Only the offset of the stage is computed in the loop, and
// what has an effect stays where it is.
// CHECK-LABEL: ptx.kernel @descriptors_in_the_loop
// CHECK:      %[[A:.*]] = tcgen05.descriptor %ring :
// CHECK-NEXT: %[[BYTES:.*]] = arith.constant 16384 : i32
// CHECK-NEXT: %[[B_RING:.*]] = arith.addi %ring, %[[BYTES]] : i32
// CHECK-NEXT: %[[B:.*]] = tcgen05.descriptor %[[B_RING]] :
// CHECK-NEXT: scf.for
// CHECK:        ptx.mbarrier.wait
// CHECK-NEXT:   %{{.*}}, %[[ELECTED:.*]] = ptx.elect.sync
// CHECK-NEXT:   scf.if %[[ELECTED]] {
// CHECK:          %a = tcgen05.tile %[[A]][%stage], stride = 49152 :
// CHECK-NEXT:     %b = tcgen05.tile %[[B]][%stage], stride = 49152 :
// CHECK-NEXT:     tcgen05.mma %d, %a, %b
ptx.kernel @descriptors_in_the_loop(%slot : i32, %full : i32, %blocks : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %stages = arith.constant 4 : i32
  %true = arith.constant true
  %all_lanes = arith.constant -1 : i32
  %ring = ptx.address_of @tiles
  %d = tcgen05.load_address %slot : !d
  scf.for %block = %c0 to %blocks step %c1 : i32 {
    %stage = arith.remui %block, %stages : i32
    ptx.mbarrier.wait [%full], %c0
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {
      %stage_bytes = arith.constant 49152 : i32
      %a_bytes = arith.constant 16384 : i32
      %offset = arith.muli %stage, %stage_bytes : i32
      %a_address = arith.addi %offset, %ring : i32
      %b_address = arith.addi %a_address, %a_bytes : i32
      %a = tcgen05.descriptor %a_address : !a
      %b = tcgen05.descriptor %b_address : !b
      tcgen05.mma %d, %a, %b accumulate %true {idesc = #multiply} : !d, !a, !b
    }
  }
  ptx.ret
}

// Operations move out of as many loops as they can.
// CHECK-LABEL: ptx.kernel @nested
// CHECK:      %[[FIRST:.*]] = tcgen05.descriptor %ring :
// CHECK-NEXT: scf.for %tile
// CHECK:        %[[BUFFER:.*]] = tcgen05.tile %[[FIRST]][%tile], stride = 65536 :
// CHECK-NEXT:   scf.while
// CHECK:        } do {
// CHECK:          %a = tcgen05.tile %[[BUFFER]][%i] :
// CHECK-NEXT:     %a16 = tcgen05.advance %a, k = 16 :
ptx.kernel @nested(%n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = ptx.address_of @tiles
  scf.for %tile = %c0 to %n step %c1 : i32 {
    %log2 = arith.constant 16 : i32
    %buffer = arith.shli %tile, %log2 : i32
    %last = scf.while (%counter = %c0) : (i32) -> i32 {
      %less = arith.cmpi slt, %counter, %n : i32
      scf.condition(%less) %counter : i32
    } do {
    ^bb0(%i : i32):
      %size = arith.constant 16384 : i32
      %offset = arith.muli %size, %i : i32
      %stage = arith.addi %ring, %offset : i32
      %address = arith.addi %stage, %buffer : i32
      %a = tcgen05.descriptor %address : !a
      %a16 = tcgen05.advance %a, k = 16 : !a
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
  }
  ptx.ret
}

// What the loop computes stays there: sums whose base may lie outside of shared memory, offsets that
// are not a multiple of the period of the swizzle, and addresses that the loop carries.
// CHECK-LABEL: ptx.kernel @stays
// CHECK:      scf.for
// CHECK-NOT:    tcgen05.tile
// CHECK:        %before = tcgen05.descriptor %[[BEFORE:.*]] :
// CHECK-NEXT:   %inside = tcgen05.descriptor %[[INSIDE:.*]] :
// CHECK-NEXT:   %down = tcgen05.descriptor %[[DOWN:.*]] :
// CHECK-NEXT:   %sums = tcgen05.descriptor %[[SUMS:.*]] :
// CHECK-NEXT:   %carried = tcgen05.descriptor %at :
// CHECK-NEXT:   scf.yield
ptx.kernel @stays(%n : i32, %x : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = arith.constant 16384 : i32
  %minus_size = arith.constant -16384 : i32
  %row = arith.constant 128 : i32
  %ring = ptx.address_of @tiles
  %below = arith.subi %ring, %size : i32
  %end = scf.for %i = %c1 to %n step %c1 iter_args(%at = %ring) -> (i32) : i32 {
    %offset = arith.muli %i, %size : i32
    %after = arith.addi %ring, %offset : i32
    %address0 = arith.addi %after, %minus_size : i32
    %rows = arith.muli %i, %row : i32
    %address1 = arith.addi %ring, %rows : i32
    %address2 = arith.addi %below, %offset : i32
    %address3 = arith.addi %after, %x : i32
    %next = arith.addi %at, %size : i32
    %before = tcgen05.descriptor %address0 : !a
    %inside = tcgen05.descriptor %address1 : !a
    %down = tcgen05.descriptor %address2 : !a
    %sums = tcgen05.descriptor %address3 : !a
    %carried = tcgen05.descriptor %at : !a
    scf.yield %next : i32
  }
  ptx.ret
}
