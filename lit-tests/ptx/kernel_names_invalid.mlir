// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error[T5-PTX-071]: ptx.shared_memory: alignment in bytes: found 3; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768
ptx.shared_memory @alignment size 8 alignment 3

// -----

// CHECK: error[T5-PTX-071]: ptx.shared_memory: alignment in bytes: found 65536; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768
ptx.shared_memory @alignment size 8 alignment 65536

// -----

// CHECK: error[T5-PTX-071]: ptx.shared_memory: alignment in bytes: found 0; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768
ptx.shared_memory @zero alignment 0

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: size in bytes: found 0; legal: 1, 2, ... 2147483647
ptx.shared_memory @size size 0 alignment 8

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: size in bytes: found 2147483648; legal: 1, 2, ... 2147483647
ptx.shared_memory @size size 2147483648 alignment 8

// -----

// CHECK: error[T5-PTX-072]: ptx.shared_memory: size in bytes: found -4; legal: 1, 2, ... 2147483647
ptx.shared_memory @negative size -4 alignment 8

// -----

// CHECK: Expected 'alignment'
ptx.shared_memory @no_alignment size 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found 'a b'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these
ptx.shared_memory @"a b" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found '1'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these
ptx.shared_memory @"1" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found '_'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these
ptx.shared_memory @_ size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found '%a'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these
ptx.shared_memory @"%a" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found WARP_SZ; legal: a name other than WARP_SZ
ptx.shared_memory @WARP_SZ size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found $L__1; legal: a name that does not begin with $L__
ptx.shared_memory @"$L__1" size 8 alignment 8

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found ''; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these
ptx.shared_memory @"" size 8 alignment 8

// -----

ptx.shared_memory @twice size 8 alignment 8
// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found @twice defined twice, first by ptx.shared_memory at line 73, column 1; legal: a name that nothing else in the module has
ptx.shared_memory @twice size 8 alignment 8

// -----

ptx.shared_memory @both size 8 alignment 8
// CHECK: error[T5-PTX-070]: ptx.kernel: name: found @both defined twice, first by ptx.shared_memory at line 79, column 1; legal: a name that nothing else in the module has
ptx.kernel @both() {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-070]: ptx.shared_memory: name: found @k_param_1, the name of a parameter of @k; legal: a name that no parameter of a kernel has
ptx.shared_memory @k_param_1 size 8 alignment 8
ptx.kernel @k(%x : i32, %y : i32) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-070]: ptx.kernel: name: found 'a-b'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these
ptx.kernel @"a-b"() {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-106]: ptx.kernel: type of parameter 0: found i1; legal: i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array
ptx.kernel @predicate(%p : i1) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-106]: ptx.kernel: type of parameter 0: found i8; legal: i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array
ptx.kernel @byte(%p : i8) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-106]: ptx.kernel: type of parameter 0: found index; legal: i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array
ptx.kernel @index(%p : index) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-072]: ptx.kernel: size in bytes: found 0; legal: 1, 2, ... 2147483647
ptx.kernel @array_size(%p : !ptx.param_array<0, 8>) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-071]: ptx.kernel: alignment in bytes: found 3; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768
ptx.kernel @array_alignment(%p : !ptx.param_array<8, 3>) {
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-073]: ptx.kernel: bytes of parameters: found 32768; legal: 0, 1, ... 32764
ptx.kernel @bytes(%p : !ptx.param_array<32760, 8>, %q : i64) {
  ptx.ret
}
