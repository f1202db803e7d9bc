// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @no_arguments(%x : i32) {
  // CHECK: error[T5-PTX-102]: ptx.bra: types of the arguments of a block must be (i32); found ()
  ptx.bra ^end
^end(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @argument_types(%x : i32) {
  // CHECK: error[T5-PTX-102]: ptx.bra: types of the arguments of a block must be (i64); found (i32)
  ptx.bra ^end(%x : i32)
^end(%a : i64):
  ptx.ret
}

// -----

ptx.kernel @too_many_arguments(%x : i32) {
  // CHECK: error[T5-PTX-102]: ptx.bra: types of the arguments of a block must be (i32); found (i32, i32)
  ptx.bra ^end(%x, %x : i32, i32)
^end(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @wrong_type_in_the_list(%x : i32) {
  // CHECK: has type i32, but is used here with type i64
  ptx.bra ^end(%x : i64)
^end(%a : i64):
  ptx.ret
}

// -----

ptx.kernel @then_arguments(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-102]: ptx.cond_bra: types of the arguments of a block must be (i32); found ()
  ptx.cond_bra %p, ^end, ^other
^end(%a : i32):
  ptx.ret
^other:
  ptx.ret
}

// -----

ptx.kernel @else_arguments(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  // CHECK: error[T5-PTX-102]: ptx.cond_bra: types of the arguments of a block must be (i32); found ()
  ptx.cond_bra %p, ^end(%x : i32), ^end
^end(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @predicate(%x : i32) {
  // CHECK: has type i32, but is used here with type i1
  ptx.cond_bra %x, ^end, ^end
^end:
  ptx.ret
}

// -----

ptx.kernel @no_else(%x : i32) {
  %p = ptx.setp eq b32 %x, %x
  ptx.cond_bra %p, ^end
// CHECK: expected ','; found the end of the line
^end:
  ptx.ret
}

// -----

ptx.kernel @no_block(%x : i32) {
// CHECK: no block in this region has the label ^nowhere
  ptx.bra ^nowhere
}

// -----

ptx.kernel @no_successor(%x : i32) {
  // CHECK: error: ptx.bra: Expected 1 successor, but got 0
  "ptx.bra"() : () -> ()
}

// -----

ptx.kernel @not_last() {
  ptx.ret
// CHECK: %x is used but not defined
  ptx.nanosleep %x
  ptx.ret
}

// -----

ptx.kernel @behind_a_branch(%x : i32) {
  // CHECK: error: ptx.ret: 'ptx.ret' must be the last operation in its parent block
  ptx.ret
  ptx.nanosleep %x
  ptx.ret
}

// -----

ptx.kernel @results(%x : i32) {
  // CHECK: ptx.ret has no results, but 1 name is given before =
  %r = ptx.ret
}

// -----

ptx.kernel @operand(%x : i32) {
// CHECK: expected '='; found the end of the line
  ptx.exit %x
}

// -----

ptx.kernel @operand_in_generic_form(%x : i32) {
  // CHECK: error: ptx.trap: Expected 0 operands, but got 1
  "ptx.trap"(%x) : (i32) -> ()
}

// -----

ptx.kernel @table_arguments(%x : i32) {
  // CHECK: error[T5-PTX-102]: ptx.brx: types of the arguments of a block must be (i32); found ()
  ptx.brx %x, [^end(%x : i32), ^end]
^end(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @empty_table(%x : i32) {
  // CHECK: error[T5-PTX-102]: ptx.brx: branch to a block must be one block or more; found no blocks
  ptx.brx %x, []
}

// -----

ptx.kernel @table_counts(%x : i32) {
  // CHECK: error[T5-PTX-102]: ptx.brx: counts must be the number of arguments of each block; found (1, 1)
  "ptx.brx"(%x, %x) [^end, ^end] <{counts = array<i32: 1, 1>}> : (i32, i32) -> ()
^end(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @event() {
  // CHECK: error[T5-PTX-173]: ptx.pmevent: performance monitor event must be 0, 1, ... 15; found 16
  ptx.pmevent 16
  ptx.ret
}

// -----

// xDSL does not verify the arguments of the branches of cf.
ptx.kernel @branch(%n : i32) {
  // CHECK: error[T5-PTX-102]: cf.br: types of the arguments of a block must be (i32); found (i32, i32)
  cf.br ^next(%n, %n : i32, i32)
^next(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @conditional(%n : i32, %long : i64) {
  %p = ptx.setp eq b32 %n, %n
  // CHECK: error[T5-PTX-102]: cf.cond_br: types of the arguments of a block must be (i32); found (i64)
  cf.cond_br %p, ^next(%n : i32), ^next(%long : i64)
^next(%a : i32):
  ptx.ret
}

// -----

ptx.kernel @switch(%n : i32) {
  // CHECK: error[T5-PTX-102]: cf.switch: types of the arguments of a block must be (i32); found ()
  cf.switch %n : i32, [
    default: ^next(%n : i32),
    7: ^next
  ]
^next(%a : i32):
  ptx.ret
}
