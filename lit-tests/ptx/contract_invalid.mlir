// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-105]: ptx.kernel: a contract of a parameter must be ptx.at_least, ptx.at_most, ptx.multiple_of or ptx.same_array; found ptx.atleast
// CHECK: help: did you mean ptx.at_least?
ptx.kernel @misspelt(%k : i32 {ptx.atleast = 1}) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: a contract of a parameter must be ptx.at_least, ptx.at_most, ptx.multiple_of or ptx.same_array; found ptx.at_all
// CHECK-NOT: did you mean
ptx.kernel @another_contract(%k : i32 {ptx.at_all = 3}) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: a contract of a parameter must be ptx.at_least, ptx.at_most, ptx.multiple_of or ptx.same_array; found multiple_of
ptx.kernel @without_dialect(%k : i32 {multiple_of = 8}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.at_least must be at most 2147483646, the last multiple of 2 of type i32; found 2147483647
ptx.kernel @no_number_of_the_type(%k : i32 {ptx.at_least = 2147483647, ptx.multiple_of = 2}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.multiple_of must be a number from 1 to 2147483647; found 0 on a parameter of type i32
ptx.kernel @multiple_of_zero(%k : i32 {ptx.at_least = 1, ptx.multiple_of = 0}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.at_most must be at least 8; found 7
ptx.kernel @no_number_between(%k : i32 {ptx.at_least = 5, ptx.at_most = 7, ptx.multiple_of = 8}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.at_least must be a number from -2147483648 to 2147483647; found 2147483648 on a parameter of type i32
ptx.kernel @too_large(%k : i32 {ptx.at_least = 2147483648}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.at_least must be a number from -32768 to 32767; found "one" on a parameter of type i16
ptx.kernel @no_number(%k : i16 {ptx.at_least = "one"}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.at_least must be on a parameter of an integer type; found 1 on a parameter of type f32
ptx.kernel @float(%k : f32 {ptx.at_least = 1}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.multiple_of must be a number from 1 to 2147483647; found 0 on a parameter of type i32
ptx.kernel @zero(%k : i32 {ptx.multiple_of = 0}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.multiple_of must be on a parameter of an integer type; found 128 on a parameter of type !ptx.tensor_map
ptx.kernel @map(%map : !ptx.tensor_map {ptx.multiple_of = 128}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.same_array must be on a parameter of type i64 or !ptx.tensor_map; found "a" on a parameter of type i32
ptx.kernel @number(%a : i64 {ptx.same_array = "a"}, %k : i32 {ptx.same_array = "a"}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.same_array must be a label such as "c"; found 1 on a parameter of type i64
ptx.kernel @label(%a : i64 {ptx.same_array = 1}, %b : i64 {ptx.same_array = 1}) {
  ptx.ret
}

// -----

// CHECK: error[T5-CONTRACT-001]: ptx.kernel: ptx.same_array must be a label of two or more parameters; found "b"
ptx.kernel @alone(%a : i64 {ptx.same_array = "a"}, %b : i64 {ptx.same_array = "b"}, %map : !ptx.tensor_map {ptx.same_array = "a"}) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-105]: ptx.kernel: arg_attrs must be 2 dictionaries, one for each parameter; found 1
"ptx.kernel"() <{sym_name = "dictionaries", arg_attrs = [{}]}> ({
^bb0(%a : i64, %b : i64):
  "ptx.ret"() : () -> ()
}) : () -> ()

// -----

ptx.kernel @condition(%k : i32) {
  // CHECK: error[T5-PTX-080]: ptx.assume: condition: type of an operand or a result must be i1; found i32
  "ptx.assume"(%k) : (i32) -> ()
  ptx.ret
}

// -----

ptx.kernel @guarded(%p : i32) {
  %true = arith.constant true
  // CHECK: error[T5-PTX-103]: ptx.guard: guarded body must be single instructions; found ptx.assume
  ptx.guard %true {
    ptx.assume %true
  }
  ptx.ret
}
