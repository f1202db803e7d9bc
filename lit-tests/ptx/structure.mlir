// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.shared_memory @buffer size 64 alignment 16

// A constant has no instruction: it stands where it is used.
// PTX-LABEL: .visible .entry constants(
// PTX: ld.param.b64 %rd1, [constants_param_0];
ptx.kernel @constants(%out : i64) {
  // CHECK: %integer = ptx.constant 7 : i32
  // GENERIC: %integer = "ptx.constant"() <{value = 7 : i32}> : () -> i32
  %integer = ptx.constant 7 : i32
  // CHECK-NEXT: %negative = ptx.constant -7 : i16
  %negative = ptx.constant -7 : i16
  // CHECK-NEXT: %long = ptx.constant 9223372036854775807 : i64
  %long = ptx.constant 9223372036854775807 : i64
  // CHECK-NEXT: %float = ptx.constant 1.500000e+00 : f32
  // GENERIC: %float = "ptx.constant"() <{value = 1.500000e+00 : f32}> : () -> f32
  %float = ptx.constant 1.5 : f32
  // CHECK-NEXT: %double = ptx.constant -2.000000e+00 : f64
  %double = ptx.constant -2.0 : f64
  // CHECK-NEXT: %half = ptx.constant 1.000000e+00 : bf16
  %half = ptx.constant 1.0 : bf16
  // CHECK-NEXT: %infinity = ptx.constant 0x7f800000 : f32
  %infinity = ptx.constant 0x7F800000 : f32
  // CHECK-NEXT: %noted = ptx.constant 3 : i32 {user.note = "attributes stay"}
  %noted = ptx.constant 3 : i32 {user.note = "attributes stay"}
  // There are no immediate predicates.
  // CHECK-NEXT: %true = ptx.constant true
  // GENERIC: %true = "ptx.constant"() <{value = true}> : () -> i1
  // PTX-NEXT: setp.ne.b32 %p1, 1, 0;
  %true = ptx.constant true
  // PTX-NEXT: st.global.b32 [%rd1], 7;
  ptx.st global b32 [%out], {%integer}
  // PTX-NEXT: st.global.b16 [%rd1], 65529;
  ptx.st global b16 [%out], {%negative}
  // PTX-NEXT: st.global.b64 [%rd1], 9223372036854775807;
  ptx.st global b64 [%out], {%long}
  // PTX-NEXT: st.global.f32 [%rd1], 0f3FC00000;
  ptx.st global f32 [%out], {%float}
  // PTX-NEXT: st.global.f64 [%rd1], 0dC000000000000000;
  ptx.st global f64 [%out], {%double}
  // PTX-NEXT: st.global.b16 [%rd1], 0x3F80;
  ptx.st global b16 [%out], {%half}
  // PTX-NEXT: st.global.f32 [%rd1], 0f7F800000;
  ptx.st global f32 [%out], {%infinity}
  // PTX-NEXT: selp.b32 %r1, 7, 3, %p1;
  %selected = ptx.selp b32 %integer, %noted, %true
  // PTX-NEXT: ret;
  ptx.ret
}

// An address is moved into a register only if something needs it as a value.
// PTX-LABEL: .visible .entry address_of(
// PTX: ld.param.b64 %rd1, [address_of_param_0];
ptx.kernel @address_of(%out : i64) {
  // CHECK: %begin = ptx.address_of @buffer
  // GENERIC: %begin = "ptx.address_of"() <{variable = @buffer}> : () -> i32
  // PTX-NEXT: mov.b32 %r1, buffer;
  %begin = ptx.address_of @buffer
  // CHECK-NEXT: %middle = ptx.address_of @buffer + 16
  // GENERIC: %middle = "ptx.address_of"() <{variable = @buffer, offset = 16 : i32}> : () -> i32
  // PTX-NEXT: mov.b32 %r2, buffer+16;
  %middle = ptx.address_of @buffer + 16
  // CHECK-NEXT: %only_address = ptx.address_of @buffer + 32 {user.note}
  %only_address = ptx.address_of @buffer + 32 {user.note}
  // PTX-NEXT: st.shared.b32 [buffer+4], %r1;
  ptx.st shared b32 [%begin + 4], {%begin}
  // PTX-NEXT: st.shared.b32 [buffer+20], %r2;
  ptx.st shared b32 [%middle + 4], {%middle}
  // PTX-NEXT: st.shared.b32 [buffer+32], %r2;
  ptx.st shared b32 [%only_address], {%middle}
  ptx.ret
}

// PTX-LABEL: .visible .entry special(
ptx.kernel @special() {
  // CHECK: %thread = ptx.special_register tid.x
  // GENERIC: %thread = "ptx.special_register"() <{register = "tid.x"}> : () -> i32
  // PTX: mov.u32 %r1, %tid.x;
  %thread = ptx.special_register tid.x
  // CHECK-NEXT: %lane = ptx.special_register laneid
  // PTX-NEXT: mov.u32 %r2, %laneid;
  %lane = ptx.special_register "laneid"
  // CHECK-NEXT: %rank = ptx.special_register cluster_ctarank
  // PTX-NEXT: mov.u32 %r3, %cluster_ctarank;
  %rank = ptx.special_register cluster_ctarank
  // CHECK-NEXT: %clock = ptx.special_register.b64 clock64
  // GENERIC: %clock = "ptx.special_register.b64"() <{register = "clock64"}> : () -> i64
  // PTX-NEXT: mov.u64 %rd1, %clock64;
  %clock = ptx.special_register.b64 clock64
  // CHECK-NEXT: %time = ptx.special_register.b64 globaltimer
  // PTX-NEXT: mov.u64 %rd2, %globaltimer;
  %time = ptx.special_register.b64 globaltimer
  ptx.ret
}

// PTX-LABEL: .visible .entry guard(
ptx.kernel @guard(%x : i32, %out : i64) {
  // PTX: setp.eq.b32 %p1, %r1, %r1;
  %p = ptx.setp eq b32 %x, %x
  // CHECK: ptx.guard %p {
  // CHECK-NEXT: ptx.st global b32 [%out], {%x}
  // CHECK-NEXT: ptx.bar.warp.sync %x
  // CHECK-NEXT: }
  // GENERIC: "ptx.guard"(%p) ({
  // GENERIC-NEXT: "ptx.st"(%out, %x) <{space = "global", type = "b32", operandSegmentSizes = array<i32: 1, 1, 0>}> : (i64, i32) -> ()
  // GENERIC-NEXT: "ptx.bar.warp.sync"(%x) : (i32) -> ()
  // GENERIC-NEXT: }) : (i1) -> ()
  // PTX-NEXT: @%p1 st.global.b32 [%rd1], %r1;
  // PTX-NEXT: @%p1 bar.warp.sync %r1;
  ptx.guard %p {
    ptx.st global b32 [%out], {%x}
    ptx.bar.warp.sync %x
  }
  // CHECK-NEXT: ptx.guard not %p {
  // CHECK-NEXT: ptx.nanosleep %x
  // CHECK-NEXT: } {user.note}
  // GENERIC-NEXT: "ptx.guard"(%p) <{negated}> ({
  // PTX-NEXT: @!%p1 nanosleep.u32 %r1;
  ptx.guard not %p {
    ptx.nanosleep %x
  } {user.note}
  // CHECK-NEXT: ptx.guard %p {
  // CHECK-NEXT: ptx.exit
  // CHECK-NEXT: }
  // PTX-NEXT: @%p1 exit;
  ptx.guard %p {
    ptx.exit
  }
  ptx.ret
}

// What may change is read each time.
// PTX-LABEL: .visible .entry changing(
// PTX: mov.u32 %r1, %clock;
// PTX-NEXT: mov.u32 %r2, %clock;
ptx.kernel @changing(%out : i64) {
  // CHECK: %start = ptx.special_register.volatile clock
  // GENERIC: %start = "ptx.special_register.volatile"() <{register = "clock"}> : () -> i32
  %start = ptx.special_register.volatile clock
  // CHECK-NEXT: %end = ptx.special_register.volatile clock
  %end = ptx.special_register.volatile clock
  %elapsed = ptx.sub u32 %end, %start
  ptx.st global b32 [%out], {%elapsed}
  ptx.ret
}

// A guarded instruction with a result has the register of the value that it keeps.
// PTX-LABEL: .visible .entry kept(
ptx.kernel @kept(%x : i32, %out : i64) {
  // CHECK: %nothing = ptx.undefined : i32
  // GENERIC: %nothing = "ptx.undefined"() : () -> i32
  %nothing = ptx.undefined : i32
  %p = ptx.setp lt s32 %x, %x
  %one = ptx.add s32 %x, %x
  // CHECK: %more = ptx.guard not %p else(%one : i32) {
  // CHECK-NEXT: %sum = ptx.add s32 %one, %x
  // CHECK-NEXT: ptx.yield %sum : i32
  // CHECK-NEXT: }
  // GENERIC: %more = "ptx.guard"(%p, %one) <{negated}> ({
  // GENERIC: "ptx.yield"({{.*}}) : (i32) -> ()
  // PTX: add.s32 %[[ONE:r[0-9]+]], %r1, %r1;
  // PTX-NEXT: @!%p1 add.s32 %[[ONE]], %[[ONE]], %r1;
  %more = ptx.guard not %p else (%one : i32) {
    %sum = ptx.add s32 %one, %x
    ptx.yield %sum : i32
  }
  // A value that is used again is copied.
  // PTX-NEXT: mov.b32 %[[AGAIN:r[0-9]+]], %[[ONE]];
  // PTX-NEXT: @%p1 add.s32 %[[AGAIN]], %r1, 1;
  %two = ptx.constant 1 : i32
  %again = ptx.guard %p else (%more : i32) {
    %sum = ptx.add s32 %x, %two
    ptx.yield %sum : i32
  }
  // Nothing need be copied of a register that nothing has written.
  // PTX-NEXT: @%p1 add.s32 %[[NEW:r[0-9]+]], %r1, 1;
  %new = ptx.guard %p else (%nothing : i32) {
    %sum = ptx.add s32 %x, %two
    ptx.yield %sum : i32
  }
  // PTX-NEXT: st.global.v4.b32 [%rd1], {%[[ONE]], %[[AGAIN]], %[[NEW]], %r1};
  ptx.st global b32 [%out], {%more, %again, %new, %x}
  ptx.ret
}

ptx.shared_memory @moved size 16 alignment 8

// PTX-LABEL: .visible .entry in_register(
ptx.kernel @in_register() {
  %one = ptx.constant 1 : i32
  // CHECK: %address = ptx.address_of @moved {in_register}
  // GENERIC: %address = "ptx.address_of"() <{variable = @moved, in_register}> : () -> i32
  // PTX: mov.b32 %r1, moved;
  // PTX-NEXT: mbarrier.init.shared::cta.b64 [%r1+8], 1;
  %address = ptx.address_of @moved {in_register}
  ptx.mbarrier.init [%address + 8], %one
  ptx.ret
}

ptx.kernel @other_special_registers(%x : i32) {
  // CHECK: %size = ptx.special_register aggr_smem_size
  // PTX: mov.u32 %r2, %aggr_smem_size;
  %size = ptx.special_register aggr_smem_size
  // CHECK-NEXT: %register = ptx.special_register envreg3 {spelling = "s32"}
  // PTX-NEXT: mov.s32 %r3, %envreg3;
  %register = ptx.special_register envreg3 {spelling = "s32"}
  // CHECK-NEXT: %high = ptx.special_register.volatile globaltimer_hi
  // PTX-NEXT: mov.u32 %r4, %globaltimer_hi;
  %high = ptx.special_register.volatile globaltimer_hi
  // CHECK-NEXT: %counter = ptx.special_register.b64 pm7_64 {spelling = "s64"}
  // PTX-NEXT: mov.s64 %rd1, %pm7_64;
  %counter = ptx.special_register.b64 pm7_64 {spelling = "s64"}
  // CHECK-NEXT: %clusters = ptx.special_register.pred is_explicit_cluster
  // PTX-NEXT: mov.pred %p1, %is_explicit_cluster;
  %clusters = ptx.special_register.pred is_explicit_cluster
  ptx.ret
}
