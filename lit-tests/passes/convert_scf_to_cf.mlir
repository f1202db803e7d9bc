// RUN: tcgen05-opt %s -p tcgen05-convert-scf-to-cf | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

// CHECK-LABEL: ptx.kernel @while
// PTX-LABEL: .visible .entry while
ptx.kernel @while(%n : i32, %out : i64) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0
  // CHECK: cf.br ^[[BEFORE:.*]](%[[ZERO]] : i32)
  // CHECK-NEXT: ^[[BEFORE]](%[[I:.*]]: i32):
  // CHECK-NEXT: %[[P:.*]] = arith.cmpi slt, %[[I]], %n
  // CHECK-NEXT: cf.cond_br %[[P]], ^[[AFTER:.*]](%[[I]] : i32), ^[[END:.*]]{{$}}
  // CHECK-NEXT: ^[[AFTER]](%[[J:.*]]: i32):
  // CHECK-NEXT: %[[K:.*]] = arith.addi %[[J]], %[[J]]
  // CHECK-NEXT: cf.br ^[[BEFORE]](%[[K]] : i32)
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT: ptx.st global b32 [%out], {%[[I]]}
  // PTX: mov.b32 %[[R:r[0-9]+]], 0;
  // PTX: $L__[[LOOP:[0-9]+]]:
  // PTX-NEXT: setp.lt.s32 %p1, %[[R]], %r1;
  // PTX-NEXT: @!%p1 bra
  // PTX: bra $L__[[LOOP]];
  // PTX: st.global.b32 [%rd1], %[[R]];
  %zero = arith.constant 0 : i32
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %p = arith.cmpi slt, %i, %n : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%j : i32):
    %k = arith.addi %j, %j : i32
    scf.yield %k : i32
  }
  ptx.st global b32 [%out], {%r}
  ptx.ret
}

// What a condition passes on may be of other types than what the loop carries.
// CHECK-LABEL: ptx.kernel @other_types
ptx.kernel @other_types(%n : i32, %out : i64) {
  // CHECK: cf.br ^[[BEFORE:.*]](%n : i32)
  // CHECK: cf.cond_br %{{.*}}, ^[[AFTER:.*]](%out : i64), ^{{.*}}
  // CHECK: ^[[AFTER]](%[[W:.*]]: i64):
  // CHECK: ptx.st global b64 [%out], {%out}
  %r = scf.while (%i = %n) : (i32) -> i64 {
    %p = arith.cmpi eq, %i, %n : i32
    scf.condition(%p) %out : i64
  } do {
  ^bb0(%w : i64):
    %t = arith.trunci %w : i64 to i32
    scf.yield %t : i32
  }
  ptx.st global b64 [%out], {%r}
  ptx.ret
}

// Loops in loops, with branches inside, keep their order.
// CHECK-LABEL: ptx.kernel @nested
// PTX-LABEL: .visible .entry nested
ptx.kernel @nested(%n : i32, %out : i64) {
  // CHECK-NOT: scf.
  // CHECK-LABEL: ptx.kernel @switch
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%sum = %zero) -> (i32) : i32 {
    %even = arith.trunci %i : i32 to i1
    %next = scf.if %even -> (i32) {
      %inner = scf.while (%j = %sum) : (i32) -> i32 {
        %p = arith.cmpi slt, %j, %i : i32
        scf.condition(%p) %j : i32
      } do {
      ^bb0(%j : i32):
        %k = arith.addi %j, %one : i32
        scf.yield %k : i32
      }
      scf.yield %inner : i32
    } else {
      scf.yield %i : i32
    }
    scf.yield %next : i32
  }
  ptx.st global b32 [%out], {%r}
  ptx.ret
}

ptx.kernel @switch(%n : i64, %out : i64) {
  // CHECK: cf.switch %{{.*}} : index, [
  // CHECK-NEXT: default: ^{{.*}},
  // CHECK-NEXT: 1: ^{{.*}},
  // CHECK-NEXT: 4294967297: ^
  %i = arith.index_cast %n : i64 to index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %r = scf.index_switch %i -> i32
  case 1 {
    scf.yield %one : i32
  }
  case 4294967297 {
    scf.yield %two : i32
  }
  default {
    %three = arith.constant 3 : i32
    scf.yield %three : i32
  }
  ptx.st global b32 [%out], {%r}
  ptx.ret
}

// Addresses and descriptors that a loop carries become registers.
// PTX-LABEL: .visible .entry carried
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!t = !tcgen05.tmem<128x32xf32>
ptx.kernel @carried(%slot : i32, %address : i32, %n : i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tcgen05.load_address %slot : !t
  %a = tcgen05.descriptor %address : !a
  %b = tcgen05.tile %a[%one] : !a
  // PTX: mov.b64 %rd[[Y:[0-9]+]], %rd{{[0-9]+}};
  // PTX-NEXT: mov.b64 %rd[[X:[0-9]+]], %rd{{[0-9]+}};
  // PTX: tcgen05.cp.cta_group::1.128x256b [%r[[T:[0-9]+]]], %rd[[X]];
  // PTX: selp.b64 %rd[[Z:[0-9]+]], %rd[[X]], %rd[[Y]], %p{{[0-9]+}};
  // PTX: selp.b32 %r{{[0-9]+}}, %r[[T]], %r{{[0-9]+}}, %p{{[0-9]+}};
  // PTX: tcgen05.cp.cta_group::1.128x256b [%r{{[0-9]+}}], %rd[[Z]];
  %x:3 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b, %t = %d) -> (!a, !a, !t) : i32 {
    tcgen05.cp %t, %u {shape = "shape_128x256b"} : !t, !a
    %p = arith.cmpi eq, %i, %one : i32
    %w = arith.select %p, %u, %v : !a
    %s = arith.select %p, %t, %d : !t
    tcgen05.cp %s, %w {shape = "shape_128x256b"} : !t, !a
    scf.yield %v, %u, %s : !a, !a, !t
  }
  ptx.ret
}
