// RUN: tcgen05-opt %s -p tcgen05-unroll-rings | filecheck %s
// RUN: tcgen05-opt %s -p 'tcgen05-lower-to-ptx{unroll-rings=true}' | filecheck %s --check-prefix LOWERED
// RUN: tcgen05 compile %s --unroll-rings --verify off | filecheck %s --check-prefix PTX
// RUN: tcgen05 compile %s --unroll-rings --verify off -o %t.ptx && not tcgen05 compile %t.ptx --unroll-rings 2>&1 | filecheck %s --check-prefix TEXT

// TEXT: --unroll-rings: give IR; the loops of PTX text stay as they are
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>
ptx.shared_memory @barriers size 64 alignment 8

// The stage is the remainder of the counter: constants for each stage, and one number of the round.
// What is left runs in the loop as it is.
// CHECK-LABEL: ptx.kernel @counted
// CHECK:      %[[COUNT:.*]] = arith.maxsi %blocks, %{{.*}} : i32
// CHECK-NEXT: %[[REST:.*]] = arith.remui %[[COUNT]], %[[TWO:.*]] : i32
// CHECK-NEXT: %[[WHOLE:.*]] = arith.subi %[[COUNT]], %[[REST]] : i32
// CHECK-NEXT: scf.for %[[BLOCK:.*]] = %c0 to %[[WHOLE]] step %[[TWO]] : i32 {
// CHECK-NEXT:   %[[ROUND:.*]] = arith.divui %[[BLOCK]], %[[TWO]] : i32
// CHECK-NEXT:   %{{.*}} = arith.andi %[[ROUND]], %c1 : i32
// CHECK-NEXT:   ptx.mbarrier.wait [%full],
// CHECK-NEXT:   %[[IS_LATER:.*]] = arith.cmpi ne, %[[BLOCK]], %c0 : i32
// CHECK-NEXT:   scf.if %is_leader {
// CHECK-NEXT:     %[[A:.*]] = tcgen05.tile %tiles[%[[ZERO:.*]]] :
// CHECK-NEXT:     tcgen05.mma %d, %[[A]], %[[A]] accumulate %[[IS_LATER]]
// CHECK:          tcgen05.commit %full
// CHECK-NEXT:   }
// CHECK-NEXT:   %{{.*}} = arith.andi %[[ROUND]], %c1 : i32
// CHECK-NEXT:   %[[FULL:.*]] = arith.addi %full, %{{.*}} : i32
// CHECK-NEXT:   ptx.mbarrier.wait [%[[FULL]]],
// CHECK-NEXT:   scf.if %is_leader {
// CHECK-NEXT:     %[[A:.*]] = tcgen05.tile %tiles[%{{.*}}] :
// CHECK-NEXT:     tcgen05.mma %d, %[[A]], %[[A]] accumulate %[[TRUE:.*]] {
// CHECK:          tcgen05.commit %[[FULL]]
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %[[BLOCK:.*]] = %[[WHOLE]] to %blocks step %c1 : i32 {
// CHECK-NEXT:   arith.remui %[[BLOCK]], %c2 : i32
// LOWERED-LABEL: ptx.kernel @counted
// LOWERED-NOT:   ptx.rem
// LOWERED:       ptx.mbarrier.wait [%full], %
// LOWERED:       ptx.mbarrier.wait [%full + 8], %
// PTX-LABEL: .entry counted
// PTX:       mbarrier.try_wait{{.*}} [%[[FULL:.*]]],
// PTX:       mbarrier.try_wait{{.*}} [%[[FULL]]+8],
ptx.kernel @counted(%cells : i32, %full : i32, %blocks : i32, %is_leader_bits : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %is_leader = arith.cmpi ne, %is_leader_bits, %c0 : i32
  %d = tcgen05.load_address %cells : !d
  %tiles = tcgen05.descriptor %cells : !a
  scf.for %block = %c0 to %blocks step %c1 : i32 {
    %stage = arith.remui %block, %c2 : i32
    %round = arith.divui %block, %c2 : i32
    %parity = arith.andi %round, %c1 : i32
    %offset = arith.muli %stage, %c8 : i32
    %barrier = arith.addi %full, %offset : i32
    ptx.mbarrier.wait [%barrier], %parity
    %is_later = arith.cmpi ne, %block, %c0 : i32
    scf.if %is_leader {
      %a = tcgen05.tile %tiles[%stage] : !a
      tcgen05.mma %d, %a, %a accumulate %is_later {idesc = #multiply} : !d, !a, !a
      tcgen05.commit %barrier
    }
  }
  ptx.ret
}

// The stage is carried and wraps: it is not carried any more, and the parity changes once a round.
// CHECK-LABEL: ptx.kernel @carried
// CHECK:      %[[PARITY:.*]] = scf.for %{{.*}} = %c0 to %[[WHOLE:.*]] step %{{.*}} iter_args(%[[OLD:.*]] = %c0) -> (i32) : i32 {
// CHECK-NEXT:   ptx.mbarrier.wait [%full], %[[OLD]]
// CHECK:        ptx.mbarrier.wait [%{{.*}}], %[[OLD]]
// CHECK:        ptx.mbarrier.wait [%{{.*}}], %[[OLD]]
// CHECK:        %[[NEW:.*]] = arith.xori %[[OLD]], %{{.*}} : i32
// CHECK-NEXT:   scf.yield %[[NEW]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %{{.*}}, %{{.*}} = scf.for %{{.*}} = %[[WHOLE]] to %blocks step %c1 iter_args(%{{.*}} = %c0, %{{.*}} = %[[PARITY]])
ptx.kernel @carried(%cells : i32, %full : i32, %blocks : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %true = arith.constant true
  %d = tcgen05.load_address %cells : !d
  %tiles = tcgen05.descriptor %cells : !a
  %ends:2 = scf.for %block = %c0 to %blocks step %c1
      iter_args(%stage = %c0, %parity = %c0) -> (i32, i32) : i32 {
    %offset = arith.muli %stage, %c8 : i32
    %barrier = arith.addi %full, %offset : i32
    ptx.mbarrier.wait [%barrier], %parity
    %a = tcgen05.tile %tiles[%stage] : !a
    tcgen05.mma %d, %a, %a accumulate %true {idesc = #multiply} : !d, !a, !a
    tcgen05.commit %barrier
    %next = arith.addi %stage, %c1 : i32
    %wraps = arith.cmpi eq, %next, %c3 : i32
    %next_stage = arith.select %wraps, %c0, %next : i32
    %flip = arith.extui %wraps : i1 to i32
    %next_parity = arith.xori %parity, %flip : i32
    scf.yield %next_stage, %next_parity : i32, i32
  }
  ptx.ret
}

// Not unrolled: a counter or a stage that begins with another value, a ring of nine stages, tiles
// that do not depend on the stage, and a step that is too large for a multiple of it.
// CHECK-LABEL: ptx.kernel @kept
// CHECK-NOT:   arith.maxsi
// CHECK-COUNT-5: tcgen05.mma
// CHECK-NOT:   tcgen05.mma
ptx.kernel @kept(%cells : i32, %full : i32, %blocks : i32, %first : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  %true = arith.constant true
  %d = tcgen05.load_address %cells : !d
  %tiles = tcgen05.descriptor %cells : !a
  scf.for %block = %first to %blocks step %c1 : i32 {
    %stage = arith.remui %block, %c2 : i32
    ptx.mbarrier.wait [%full], %stage
    %a = tcgen05.tile %tiles[%stage] : !a
    tcgen05.mma %d, %a, %a accumulate %true {idesc = #multiply} : !d, !a, !a
  }
  %end = scf.for %block = %c0 to %blocks step %c1 iter_args(%stage = %first) -> (i32) : i32 {
    ptx.mbarrier.wait [%full], %c0
    %a = tcgen05.tile %tiles[%stage] : !a
    tcgen05.mma %d, %a, %a accumulate %true {idesc = #multiply} : !d, !a, !a
    %next = arith.addi %stage, %c1 : i32
    %wraps = arith.cmpi eq, %next, %c2 : i32
    %next_stage = arith.select %wraps, %c0, %next : i32
    scf.yield %next_stage : i32
  }
  scf.for %block = %c0 to %blocks step %c1 : i32 {
    %stage = arith.remui %block, %c9 : i32
    ptx.mbarrier.wait [%full], %c0
    %a = tcgen05.tile %tiles[%stage] : !a
    tcgen05.mma %d, %a, %a accumulate %true {idesc = #multiply} : !d, !a, !a
  }
  scf.for %block = %c0 to %blocks step %c1 : i32 {
    %parity = arith.remui %block, %c2 : i32
    ptx.mbarrier.wait [%full], %parity
    tcgen05.mma %d, %tiles, %tiles accumulate %true {idesc = #multiply} : !d, !a, !a
  }
  %step = arith.constant 1073741824 : i32
  %last = scf.for %block = %c0 to %blocks step %step iter_args(%stage = %c0) -> (i32) : i32 {
    ptx.mbarrier.wait [%full], %stage
    %a = tcgen05.tile %tiles[%stage] : !a
    tcgen05.mma %d, %a, %a accumulate %true {idesc = #multiply} : !d, !a, !a
    %other = arith.xori %stage, %c1 : i32
    scf.yield %other : i32
  }
  ptx.ret
}
