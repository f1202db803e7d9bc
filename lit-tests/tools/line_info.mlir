// RUN: tcgen05 compile %s --line-info | filecheck %s
// RUN: tcgen05 compile %s --line-info | tcgen05 check - | filecheck %s --check-prefix VERDICT
// RUN: tcgen05 compile %s --line-info --emit cubin -o %t.cubin && grep -c line_info.mlir %t.cubin
// RUN: tcgen05 compile %s | filecheck %s --check-prefix WITHOUT

// CHECK:      .file 1 "{{.*}}line_info.mlir"
// CHECK:      .loc 1 16 3
// CHECK-NEXT: mov.u32 %r1, %tid.x;
// CHECK:      .loc 1 20 3
// CHECK-NEXT: st.global.b32
// WITHOUT-NOT: .loc
// VERDICT: @lines: verified

ptx.kernel @lines(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c4 = arith.constant 4 : i64
  %thread = ptx.special_register tid.x
  %wide = arith.extui %thread : i32 to i64
  %offset = arith.muli %wide, %c4 : i64
  %at = arith.addi %out, %offset : i64
  ptx.st global b32 [%at], {%thread}
  ptx.ret
}
