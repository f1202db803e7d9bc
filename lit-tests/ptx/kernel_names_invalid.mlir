// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: error: ptx.shared_memory: {{.*}}found 3; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 [T5-PTX-071] (PTX ISA 5.4.5)
ptx.shared_memory @alignment size 8 alignment 3

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found 65536; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 [T5-PTX-071] (PTX ISA 5.4.5)
ptx.shared_memory @alignment size 8 alignment 65536

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found 0; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 [T5-PTX-071] (PTX ISA 5.4.5)
ptx.shared_memory @zero alignment 0

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found 0; legal: 1, 2, ... 2147483647 [T5-PTX-072] (PTX ISA 5.4.3)
ptx.shared_memory @size size 0 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found 2147483648; legal: 1, 2, ... 2147483647 [T5-PTX-072] (PTX ISA 5.4.3)
ptx.shared_memory @size size 2147483648 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found -4; legal: 1, 2, ... 2147483647 [T5-PTX-072] (PTX ISA 5.4.3)
ptx.shared_memory @negative size -4 alignment 8

// -----

// CHECK: Expected 'alignment'
ptx.shared_memory @no_alignment size 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found 'a b'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @"a b" size 8 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found '1'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @"1" size 8 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found '_'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @_ size 8 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found '%a'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @"%a" size 8 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found WARP_SZ; legal: a name other than WARP_SZ [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @WARP_SZ size 8 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found $L__1; legal: a name that does not begin with $L__ [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @"$L__1" size 8 alignment 8

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found ''; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @"" size 8 alignment 8

// -----

ptx.shared_memory @twice size 8 alignment 8
// CHECK: error: ptx.shared_memory: {{.*}}found @twice defined twice, first by ptx.shared_memory at line {{[0-9]+}}, column 1; legal: a name that nothing else in the module has [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @twice size 8 alignment 8

// -----

ptx.shared_memory @both size 8 alignment 8
// CHECK: error: ptx.kernel: {{.*}}found @both defined twice, first by ptx.shared_memory at line {{[0-9]+}}, column 1; legal: a name that nothing else in the module has [T5-PTX-070] (PTX ISA 4.4)
ptx.kernel @both() {
  ptx.ret
}

// -----

// CHECK: error: ptx.shared_memory: {{.*}}found @k_param_1, the name of a parameter of @k; legal: a name that no parameter of a kernel has [T5-PTX-070] (PTX ISA 4.4)
ptx.shared_memory @k_param_1 size 8 alignment 8
ptx.kernel @k(%x : i32, %y : i32) {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: {{.*}}found 'a-b'; legal: a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these [T5-PTX-070] (PTX ISA 4.4)
ptx.kernel @"a-b"() {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: type of parameter 0: found i1; legal: i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array [T5-PTX-106]
ptx.kernel @predicate(%p : i1) {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: type of parameter 0: found i8; legal: i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array [T5-PTX-106]
ptx.kernel @byte(%p : i8) {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: type of parameter 0: found index; legal: i16, f16, bf16, i32, f32, i64, f64, !ptx.tensor_map, !ptx.param_array [T5-PTX-106]
ptx.kernel @index(%p : index) {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: {{.*}}found 0; legal: 1, 2, ... 2147483647 [T5-PTX-072] (PTX ISA 5.4.3)
ptx.kernel @array_size(%p : !ptx.param_array<0, 8>) {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: {{.*}}found 3; legal: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 [T5-PTX-071] (PTX ISA 5.4.5)
ptx.kernel @array_alignment(%p : !ptx.param_array<8, 3>) {
  ptx.ret
}

// -----

// CHECK: error: ptx.kernel: {{.*}}found 32768; legal: 0, 1, ... 32764 [T5-PTX-073] (PTX ISA 5.1.6.1)
ptx.kernel @bytes(%p : !ptx.param_array<32760, 8>, %q : i64) {
  ptx.ret
}
