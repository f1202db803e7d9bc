// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s
// RUN: not tcgen05 check --split-input-file %s 2>&1 | filecheck %s

"builtin.module"() ({
  // CHECK: error[T5-PTX-105]: func.func: sym_name must be a string, such as "name"; found @q
  "func.func"() <{sym_name = @q, function_type = (i32) -> i32, sym_visibility = "private"}> ({
  ^bb0(%a: i32):
    "func.return"(%a) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "ptx.kernel"() <{sym_name = "example"}> ({
  ^bb0(%n: i64, %p: i64):
    // CHECK: error[T5-PTX-105]: func.call: callee must be the name of a symbol, such as @name; found 1.000000e+00 : f32
    %m = "func.call"(%n) <{callee = 1.0 : f32}> : (i64) -> i64
    "ptx.ret"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  // CHECK: error[T5-PTX-105]: ptx.kernel: sym_name must be a string, such as "name"; found 9223372036854775807 : i64
  "ptx.kernel"() <{sym_name = 9223372036854775807 : i64}> ({
    "ptx.ret"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  // CHECK: error[T5-PTX-105]: ptx.kernel: arg_attrs must be a list, such as []; found unit
  "ptx.kernel"() <{sym_name = "example", arg_attrs}> ({
    "ptx.ret"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "ptx.kernel"() <{sym_name = "example"}> ({
  ^bb0(%n: i32):
    // CHECK: error[T5-PTX-105]: arith.addi: overflowFlags must be #arith.overflow; found 1 : i32
    %m = "arith.addi"(%n, %n) <{overflowFlags = 1 : i32}> : (i32, i32) -> i32
    "ptx.ret"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "ptx.kernel"() <{sym_name = "example"}> ({
  ^bb0(%n: i32):
    // CHECK: error[T5-PTX-105]: scf.for: attribute of an operation must be none; found unsignedCmp
    "scf.for"(%n, %n, %n) <{unsignedCmp}> ({
    ^bb0(%i: i32):
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "ptx.ret"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The place is that of the number, as in an alias.
// CHECK: :9: error: integer value 99999999999999999999999999 is out of range for type i64
!tile = 99999999999999999999999999<64x64xbf16, k_major, swizzle_128b>

// -----

// A definition in the region of an operation is not that of its operand.
// CHECK: error: %is is used but not defined
scf.if %is {
  ptx.kernel @k(%n : i32) {
    %is = arith.cmpi eq, %n, %n : i32
    ptx.ret
  }
}
