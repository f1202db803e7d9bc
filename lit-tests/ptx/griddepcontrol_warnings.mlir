// RUN: tcgen05 check --verify=off %s | filecheck %s
// RUN: tcgen05 compile --verify=off %s -o %t.ptx
// RUN: tcgen05 check --verify=off %t.ptx | filecheck %s --check-prefix PTX

// Accesses before griddepcontrol.wait to memory that other grids may still use. Loads of memory that
// the kernel does not write may come before it.

// CHECK: :16:10: warning[T5-PTX-250]: ptx.ld: before griddepcontrol.wait it reads global memory that the kernel writes; kernels load only data such as weights, which no other grid writes, before the wait
// CHECK: help: execute griddepcontrol.wait before the access
// PTX: warning[T5-PTX-250]: ld: before griddepcontrol.wait it reads global memory that the kernel writes
ptx.kernel @reads(%weights : i64, %sums : i64) attributes {reqntid = array<i32: 32>} {
  %thread = ptx.special_register tid.x
  %c4 = ptx.constant 4 : i32
  %from = ptx.mad.wide u32 %thread, %c4, %weights
  %to = ptx.mad.wide u32 %thread, %c4, %sums
  %old = ptx.ld global u32 [%to] -> i32
  %w = ptx.ld global u32 [%from] -> i32
  ptx.griddepcontrol wait
  %new = ptx.add s32 %old, %w
  ptx.st global b32 [%to], {%new}
  ptx.ret
}

// CHECK: warning[T5-PTX-250]: ptx.red: before griddepcontrol.wait it writes global memory
// PTX: warning[T5-PTX-250]: red: before griddepcontrol.wait it writes global memory
// CHECK-NOT: warning[
// PTX-NOT: warning[
ptx.kernel @writes(%sum : i64) attributes {reqntid = array<i32: 32>} {
  %thread = ptx.special_register tid.x
  ptx.red relaxed gpu global add u32 [%sum], %thread
  ptx.griddepcontrol wait
  ptx.red relaxed gpu global add u32 [%sum], %thread
  ptx.ret
}

ptx.kernel @prefetches(%weights : i64, %out : i64, %n : i32) attributes {reqntid = array<i32: 32>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c4 = ptx.constant 4 : i32
  %w = ptx.ld global u32 [%weights] -> i32
  ptx.griddepcontrol wait
  ptx.bra ^loop(%c0 : i32)
^loop(%i : i32):
  %to = ptx.mad.wide u32 %i, %c4, %out
  %old = ptx.ld global u32 [%to] -> i32
  ptx.st global b32 [%to], {%w}
  %next = ptx.add s32 %i, %c1
  %more = ptx.setp lt u32 %next, %n
  ptx.cond_bra %more, ^loop(%next : i32), ^end
^end:
  ptx.ret
}

ptx.kernel @without_a_wait(%out : i64) attributes {reqntid = array<i32: 32>} {
  %c0 = ptx.constant 0 : i32
  ptx.st global b32 [%out], {%c0}
  ptx.griddepcontrol launch_dependents
  ptx.ret
}
