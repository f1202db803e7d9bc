// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-071]: ptx.shared_memory: alignment in bytes must be 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768; found 3
ptx.shared_memory @alignment size 8 alignment 3

// -----

// CHECK: error[T5-PTX-071]: ptx.shared_memory: alignment in bytes must be 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768; found 65536
ptx.shared_memory @alignment size 8 alignment 65536

// -----

// CHECK: error[T5-PTX-071]: ptx.shared_memory: alignment in bytes must be 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768; found 0
ptx.shared_memory @zero alignment 0

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: size in bytes must be 1, 2, ... 2147483647; found 0
ptx.shared_memory @size size 0 alignment 8

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: size in bytes must be 1, 2, ... 2147483647; found 2147483648
ptx.shared_memory @size size 2147483648 alignment 8

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: size in bytes must be 1, 2, ... 2147483647; found -4
ptx.shared_memory @negative size -4 alignment 8

// -----

// CHECK: expected 'alignment'; found the end of the line
ptx.shared_memory @no_alignment size 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found 'a b'
ptx.shared_memory @"a b" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found '1'
ptx.shared_memory @"1" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found '_'
ptx.shared_memory @_ size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found '%a'
ptx.shared_memory @"%a" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a name other than WARP_SZ; found WARP_SZ
ptx.shared_memory @WARP_SZ size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a name that does not begin with $L__; found $L__1
ptx.shared_memory @"$L__1" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found ''
ptx.shared_memory @"" size 8 alignment 8

// -----

ptx.shared_memory @twice size 8 alignment 8
// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a name that nothing else in the module has; found @twice defined twice, first by ptx.shared_memory at line 73, column 1
ptx.shared_memory @twice size 8 alignment 8

// -----

ptx.shared_memory @both size 8 alignment 8
// CHECK: error[T5-PTX-070]: ptx.kernel: name must be a name that nothing else in the module has; found @both defined twice, first by ptx.shared_memory at line 79, column 1
ptx.kernel @both() {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name must be a name that no parameter of a kernel has; found @k_param_1, the name of a parameter of @k
ptx.shared_memory @k_param_1 size 8 alignment 8
ptx.kernel @k(%x : i32, %y : i32) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-070]: ptx.kernel: name must be a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these; found 'a-b'
ptx.kernel @"a-b"() {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-106]: ptx.kernel: type of parameter 0 must be i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array; found i1
ptx.kernel @predicate(%p : i1) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-106]: ptx.kernel: type of parameter 0 must be i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array; found i8
ptx.kernel @byte(%p : i8) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-106]: ptx.kernel: type of parameter 0 must be i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array; found index
ptx.kernel @index(%p : index) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-072]: ptx.kernel: size in bytes must be 1, 2, ... 2147483647; found 0
ptx.kernel @array_size(%p : !ptx.param_array<0, 8>) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-071]: ptx.kernel: alignment in bytes must be 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768; found 3
ptx.kernel @array_alignment(%p : !ptx.param_array<8, 3>) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-073]: ptx.kernel: bytes of parameters must be 0, 1, ... 32764; found 32768
ptx.kernel @bytes(%p : !ptx.param_array<32760, 8>, %q : i64) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: bytes must be size or needs; found both
ptx.shared_memory @both size 8 needs 8 alignment 8
