// RUN: tcgen05-opt %s -p tcgen05-inline-functions | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx | filecheck %s --check-prefix PTX
// RUN: tcgen05-opt %s -p tcgen05-inline-functions | tcgen05-opt -p tcgen05-lower-to-ptx | filecheck %s --check-prefix PTX
// RUN: tcgen05 sim %s --kernel in_loops --arg a=7 --arg p=zeros:i32:1 --expect "p=p + 11" | filecheck %s --check-prefix SIM

// A function that nothing calls goes, and so does one without a body.
// CHECK:      builtin.module {
// CHECK-NEXT: func.func private @clamp
func.func private @unused(%x : i32) {
  func.return
}
func.func private @declared(%x : f32) -> f32

func.func private @add(%x : i32, %y : i32) -> i32 {
  %sum = arith.addi %x, %y : i32
  func.return %sum : i32
}
func.func private @double(%x : i32) -> (i32, i32) {
  %twice = func.call @add(%x, %x) : (i32, i32) -> i32
  func.return %twice, %x : i32, i32
}
func.func private @clamp(%x : i32, %most : i32) -> i32 {
  %is_more = arith.cmpi ugt, %x, %most : i32
  cf.cond_br %is_more, ^high, ^low
^high:
  func.return %most : i32
^low:
  func.return %x : i32
}
func.func private @count(%x : i32) -> i32 {
  cf.br ^next
^next:
  %more = func.call @add(%x, %x) : (i32, i32) -> i32
  func.return %more : i32
}
func.func private @sum(%x : i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %x) -> (i32) : i32 {
    %small = func.call @clamp(%v, %c4) : (i32, i32) -> i32
    %u = arith.addi %small, %i : i32
    scf.yield %u : i32
  }
  func.return %sum : i32
}
func.func private @repeat(%x : i32, %p : i64) {
  cf.br ^first(%x : i32)
^first(%y : i32):
  %z = func.call @add(%y, %y) : (i32, i32) -> i32
  ptx.st global b32 [%p], {%z}
  %is_less = arith.cmpi slt, %z, %x : i32
  cf.cond_br %is_less, ^first(%z : i32), ^last
^last:
  ptx.exit
}

// One block: its operations take the place of the call, also in a function.
// CHECK:      ptx.kernel @straight(%a: i32, %p: i64) {
// CHECK-NEXT:   %sum = arith.addi %a, %a : i32
// CHECK-NEXT:   ptx.st global b32 [%p], {%sum}
// CHECK-NEXT:   ptx.st global b32 [%p], {%a}
// CHECK-NEXT:   ptx.ret
ptx.kernel @straight(%a : i32, %p : i64) {
  %twice:2 = func.call @double(%a) : (i32) -> (i32, i32)
  ptx.st global b32 [%p], {%twice#0}
  ptx.st global b32 [%p], {%twice#1}
  ptx.ret
}

// Several blocks: each return is a branch behind the call. A single return passes no arguments.
// CHECK-LABEL: ptx.kernel @early_return
// CHECK-NEXT:    cf.br ^[[CLAMP:.*]]
// CHECK-NEXT:  ^[[CLAMP]]:
// CHECK-NEXT:    %is_more = arith.cmpi ugt, %a, %b : i32
// CHECK-NEXT:    cf.cond_br %is_more, ^[[HIGH:bb.*]], ^[[LOW:bb.*]]
// CHECK-NEXT:  ^[[HIGH]]:
// CHECK-NEXT:    cf.br ^[[LEAST:.*]](%b : i32)
// CHECK-NEXT:  ^[[LOW]]:
// CHECK-NEXT:    cf.br ^[[LEAST]](%a : i32)
// CHECK-NEXT:  ^[[LEAST]](%least: i32):
// CHECK-NEXT:    cf.br ^[[COUNT:.*]]
// CHECK-NEXT:  ^[[COUNT]]:
// CHECK-NEXT:    cf.br ^[[MORE:.*]]
// CHECK-NEXT:  ^[[MORE]]:
// CHECK-NEXT:    %sum = arith.addi %least, %least : i32
// CHECK-NEXT:    cf.br ^[[REST:.*]]
// CHECK-NEXT:  ^[[REST]]:
// CHECK-NEXT:    ptx.st global b32 [%p], {%sum}
// CHECK-NEXT:    ptx.ret
ptx.kernel @early_return(%a : i32, %b : i32, %p : i64) {
  %least = func.call @clamp(%a, %b) : (i32, i32) -> i32
  %last = func.call @count(%least) : (i32) -> i32
  ptx.st global b32 [%p], {%last}
  ptx.ret
}

// Several blocks in structured control flow: the call is replaced where this becomes branches.
// CHECK-LABEL: ptx.kernel @in_loops
// CHECK:         scf.for
// CHECK-NEXT:      func.call @clamp
// PTX-NOT:     func.
// PTX-LABEL:   ptx.kernel @in_loops
// PTX-NOT:     func.
// SIM:         as expected: p
ptx.kernel @in_loops(%a : i32, %p : i64) attributes {reqntid = array<i32: 1>} {
  %sum = func.call @sum(%a) : (i32) -> i32
  %more = func.call @clamp(%sum, %a) : (i32, i32) -> i32
  %four = arith.constant 4 : i32
  %all = arith.addi %more, %four : i32
  ptx.st global b32 [%p], {%all}
  ptx.ret
}

// No return, and a branch to the first block.
// CHECK-LABEL: ptx.kernel @no_return
// CHECK:         cf.br ^[[FIRST:.*]](%a : i32)
// CHECK-NEXT:  ^[[FIRST]](%y: i32):
// CHECK-NEXT:    %sum = arith.addi %y, %y : i32
// CHECK:         cf.cond_br %is_less, ^[[FIRST]](%sum : i32), ^[[LAST:.*]]
// CHECK-NEXT:  ^[[LAST]]:
// CHECK-NEXT:    ptx.exit
ptx.kernel @no_return(%a : i32, %p : i64) {
  func.call @repeat(%a, %p) : (i32, i64) -> ()
  ptx.ret
}
