// RUN: tcgen05 compile %s | filecheck %s --check-prefix PTX
// RUN: tcgen05 compile - < %s | filecheck %s --check-prefix PTX
// RUN: tcgen05 compile %s -o %t.ptx && filecheck %s --check-prefix PTX --input-file %t.ptx
// RUN: tcgen05 compile %s --target sm_110a | filecheck %s --check-prefix TARGET
// RUN: tcgen05 compile %s --ptx-version 8.8 | filecheck %s --check-prefix VERSION
// RUN: tcgen05 compile %s --emit ir | filecheck %s --check-prefix IR
// RUN: tcgen05 compile %s --emit ir | tcgen05 compile - | filecheck %s --check-prefix PTX
// RUN: tcgen05 compile %s --emit cubin -o %t.cubin && %nvdisasm %t.cubin | filecheck %s --check-prefix SASS

// PTX: .version 8.6
// PTX-NEXT: .target sm_100a
// PTX-NEXT: .address_size 64
// PTX: .visible .entry scale(
// PTX: mul.lo.s32
// PTX: st.global.b32

// TARGET: .version 9.0
// TARGET-NEXT: .target sm_110a

// VERSION: .version 8.8
// VERSION-NEXT: .target sm_100a

// IR: builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.6">} {
// IR: ptx.kernel @scale
// IR-NOT: arith.
// IR: ptx.mul

// SASS: .target sm_100a
// SASS: .text.scale

ptx.kernel @scale(%out : i64, %n : i32) attributes {reqntid = array<i32: 32, 1, 1>} {
  %three = arith.constant 3 : i32
  %product = arith.muli %n, %three : i32
  ptx.st global b32 [%out], {%product}
  ptx.ret
}
