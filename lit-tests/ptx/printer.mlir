// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx
// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - -t ptx | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t 'ptx{target=sm_103a version=9.0}' | filecheck %s --check-prefix TARGET

// CHECK: .version 8.6
// CHECK-NEXT: .target sm_100a
// CHECK-NEXT: .address_size 64
// TARGET: .version 9.0
// TARGET-NEXT: .target sm_103a

// CHECK: .shared .align 16 .b8 tile[1024];
ptx.shared_memory @tile size 1024 alignment 16

// The arguments of a loop change places on its back edge: that takes one more register.
// CHECK-LABEL: .visible .entry swap(
// CHECK: .reg .b32 %r<9>;
// CHECK-NEXT: .reg .b64 %rd<2>;
// CHECK-NEXT: .reg .pred %p<2>;
ptx.kernel @swap(%n : i32, %a : i32, %b : i32, %out : i64) {
  %zero = ptx.constant 0 : i32
  %one = ptx.constant 1 : i32
  // CHECK: ld.param.b64 %rd1, [swap_param_3];
  // CHECK-NEXT: mov.b32 %r[[Y:[0-9]+]], %r3;
  // CHECK-NEXT: mov.b32 %r[[X:[0-9]+]], %r2;
  // CHECK-NEXT: mov.b32 %r[[I:[0-9]+]], 0;
  ptx.bra ^head(%zero, %a, %b : i32, i32, i32)
// CHECK-NEXT: [[HEAD:[$]L__[0-9]+]]:
^head(%i : i32, %x : i32, %y : i32):
  // CHECK-NEXT: setp.lt.u32 %p1, %r[[I]], %r1;
  %more = ptx.setp lt u32 %i, %n
  // CHECK-NEXT: @!%p1 bra [[END:[$]L__[0-9]+]];
  ptx.cond_bra %more, ^body, ^end
^body:
  // CHECK-NEXT: add.s32 %r[[NEXT:[0-9]+]], %r[[I]], 1;
  %next = ptx.add s32 %i, %one
  // CHECK-NEXT: mov.b32 %r[[I]], %r[[NEXT]];
  // CHECK-NEXT: mov.b32 %r[[SAVED:[0-9]+]], %r[[X]];
  // CHECK-NEXT: mov.b32 %r[[X]], %r[[Y]];
  // CHECK-NEXT: mov.b32 %r[[Y]], %r[[SAVED]];
  // CHECK-NEXT: bra [[HEAD]];
  ptx.bra ^head(%next, %y, %x : i32, i32, i32)
// CHECK-NEXT: [[END]]:
^end:
  // CHECK-NEXT: st.global.v2.b32 [%rd1], {%r[[X]], %r[[Y]]};
  ptx.st global b32 [%out], {%x, %y}
  // CHECK-NEXT: ret;
  // CHECK-NEXT: }
  ptx.ret
}

// A back edge with arguments out of a conditional branch: the moves happen only if it is taken.
// CHECK-LABEL: .visible .entry rotate(
ptx.kernel @rotate(%p : i32, %a : i32, %b : i32, %c : i32, %out : i64) {
  // CHECK: mov.b32 %r[[Z:[0-9]+]], %r4;
  // CHECK-NEXT: mov.b32 %r[[Y:[0-9]+]], %r3;
  // CHECK-NEXT: mov.b32 %r[[X:[0-9]+]], %r2;
  ptx.bra ^loop(%a, %b, %c : i32, i32, i32)
// CHECK-NEXT: [[LOOP:[$]L__[0-9]+]]:
^loop(%x : i32, %y : i32, %z : i32):
  // CHECK-NEXT: setp.ne.b32 %p1, %r[[Z]], %r1;
  %again = ptx.setp ne b32 %z, %p
  // CHECK-NEXT: @!%p1 bra [[DONE:[$]L__[0-9]+]];
  // CHECK-NEXT: mov.b32 %r[[SAVED:[0-9]+]], %r[[X]];
  // CHECK-NEXT: mov.b32 %r[[X]], %r[[Y]];
  // CHECK-NEXT: mov.b32 %r[[Y]], %r[[Z]];
  // CHECK-NEXT: mov.b32 %r[[Z]], %r[[SAVED]];
  // CHECK-NEXT: bra [[LOOP]];
  ptx.cond_bra %again, ^loop(%y, %z, %x : i32, i32, i32), ^end
// CHECK-NEXT: [[DONE]]:
^end:
  // CHECK-NEXT: st.global.v2.b32 [%rd1], {%r[[X]], %r[[Y]]};
  ptx.st global b32 [%out], {%x, %y}
  ptx.ret
}

// Arguments on both edges to one block.
// CHECK-LABEL: .visible .entry both_edges(
ptx.kernel @both_edges(%x : i32, %y : i32, %out : i64) {
  %seven = ptx.constant 7 : i32
  // CHECK: setp.lt.s32 %p1, %r1, %r2;
  %p = ptx.setp lt s32 %x, %y
  // CHECK-NEXT: @!%p1 bra [[ELSE:[$]L__[0-9]+]];
  // CHECK-NEXT: mov.b32 %r[[W:[0-9]+]], 7;
  // CHECK-NEXT: mov.b32 %r[[V:[0-9]+]], %r1;
  // CHECK-NEXT: bra [[END:[$]L__[0-9]+]];
  // CHECK-NEXT: [[ELSE]]:
  // CHECK-NEXT: mov.b32 %r[[W]], %r2;
  // CHECK-NEXT: mov.b32 %r[[V]], 7;
  ptx.cond_bra %p, ^end(%x, %seven : i32, i32), ^end(%seven, %y : i32, i32)
// CHECK-NEXT: [[END]]:
^end(%v : i32, %w : i32):
  // CHECK-NEXT: st.global.v2.b32 [%rd1], {%r[[V]], %r[[W]]};
  ptx.st global b32 [%out], {%v, %w}
  ptx.ret
}

// A block that nothing branches to is left out, and one whose label nobody needs has none.
// CHECK-LABEL: .visible .entry unreachable(
ptx.kernel @unreachable(%out : i64) {
  // CHECK: ld.param.b64 %rd1, [unreachable_param_0];
  ptx.bra ^end
^never(%v : i32):
  ptx.st global b32 [%out], {%v}
  ptx.bra ^end
^end:
  // CHECK-NEXT: ret;
  ptx.ret
}

// CHECK-LABEL: .visible .entry addresses(
ptx.kernel @addresses(%out : i64, %x : i32) {
  // CHECK: mov.b32 %r[[TILE:[0-9]+]], tile+256;
  %tile = ptx.address_of @tile + 256
  // CHECK-NEXT: st.shared.b32 [tile+272], %r1;
  ptx.st shared b32 [%tile + 16], {%x}
  // CHECK-NEXT: add.s32 %r[[MOVED:[0-9]+]], %r[[TILE]], %r1;
  %moved = ptx.add s32 %tile, %x
  // CHECK-NEXT: ld.shared.v4.f32 {[[VECTOR:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}, [%r[[MOVED]]+-16];
  %v:4 = ptx.ld shared f32 [%moved + -16] -> 4 x f32
  // CHECK-NEXT: st.global.v4.f32 [%rd1+32], {[[VECTOR]]};
  ptx.st global f32 [%out + 32], {%v#0, %v#1, %v#2, %v#3}
  ptx.ret
}

// Moves of all register classes; floats of 16 bits are immediates by their bits.
// CHECK-LABEL: .visible .entry classes(
ptx.kernel @classes(%x : i32, %f : f32, %l : i64, %out : i64) {
  %half = ptx.constant 1.0 : f16
  %float = ptx.constant 0.5 : f32
  // CHECK: setp.eq.b32 %p1, %r1, %r1;
  %p = ptx.setp eq b32 %x, %x
  // CHECK-DAG: mov.b32 %r[[Y:[0-9]+]], %r1;
  // CHECK-DAG: mov.b64 %rd[[M:[0-9]+]], %rd1;
  // CHECK-DAG: mov.b32 %r[[E:[0-9]+]], 0f3F000000;
  // CHECK-DAG: mov.b16 %rs[[G:[0-9]+]], 0x3C00;
  // CHECK-DAG: mov.pred %p[[Q:[0-9]+]], %p1;
  ptx.bra ^end(%p, %half, %float, %l, %x : i1, f16, f32, i64, i32)
^end(%q : i1, %g : f16, %e : f32, %m : i64, %y : i32):
  // CHECK: selp.f32 %r[[S:[0-9]+]], %r[[E]], %r2, %p[[Q]];
  %s = ptx.selp f32 %e, %f, %q
  // CHECK-NEXT: st.global.b16 [%rd[[M]]], %rs[[G]];
  ptx.st global b16 [%m], {%g}
  // CHECK-NEXT: st.global.v2.b32 [%rd[[M]]+4], {%r[[S]], %r[[Y]]};
  ptx.st global b32 [%m + 4], {%s, %y}
  ptx.ret
}

// Several guarded stores have one branch; in a guard with other instructions, each has a predicate.
// CHECK-LABEL: .visible .entry guards(
ptx.kernel @guards(%x : i32, %out : i64) {
  // CHECK: setp.eq.b32 %p1, %r1, %r1;
  %p = ptx.setp eq b32 %x, %x
  // CHECK-NEXT: @!%p1 bra $L__1;
  // CHECK-NEXT: st.global.b32 [%rd1], %r1;
  // CHECK-NEXT: st.global.b32 [%rd1+4], %r1;
  // CHECK-NEXT: $L__1:
  ptx.guard %p {
    ptx.st global b32 [%out], {%x}
    ptx.st global b32 [%out + 4], {%x}
  }
  // CHECK-NEXT: @%p1 bra $L__2;
  // CHECK-NEXT: st.global.b32 [%rd1+8], %r1;
  // CHECK-NEXT: st.global.b32 [%rd1+12], %r1;
  // CHECK-NEXT: $L__2:
  ptx.guard not %p {
    ptx.st global b32 [%out + 8], {%x}
    ptx.st global b32 [%out + 12], {%x}
  }
  // CHECK-NEXT: @%p1 st.global.b32 [%rd1+16], %r1;
  ptx.guard %p {
    ptx.st global b32 [%out + 16], {%x}
  }
  ptx.ret
}
