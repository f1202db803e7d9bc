// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @another_value(%x : i32) {
  %y = ptx.add u32 %x, %x
  // CHECK: error[T5-PTX-113]: ptx.load_parameter: use of a parameter must be a parameter of the kernel; found another value
  %z = ptx.load_parameter %y : i32 -> i32
  ptx.ret
}

// -----

ptx.kernel @another_type(%x : i32) {
  // CHECK: error[T5-PTX-113]: ptx.load_parameter: type of the loaded value must be i32; found i64
  %z = ptx.load_parameter %x : i32 -> i64
  ptx.ret
}

// -----

ptx.kernel @address(%x : i32) {
  %y = ptx.add u32 %x, %x
  // CHECK: error[T5-PTX-113]: ptx.parameter_address: use of a parameter must be a parameter of the kernel; found another value
  %z = ptx.parameter_address %y : i32 -> i64
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-114]: ptx.kernel: number of declarations of parameters must be 1; found 2
ptx.kernel @number(%x : i32) attributes {declarations = [".u32 a", ".u32 b"]} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-114]: ptx.kernel: declaration of a parameter must be the PTX text of one parameter, such as ".u32 n"; found .u32 a; .u32 b
ptx.kernel @text(%x : i32) attributes {declarations = [".u32 a; .u32 b"]} {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-114]: ptx.kernel: directive of a kernel must be a directive such as ".maxclusterrank 4"; found {
ptx.kernel @directive() attributes {directives = ["{"]} {
  ptx.ret
}
