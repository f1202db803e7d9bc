// RUN: tcgen05-opt %s | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// PTX: .visible .entry declared(
// PTX-NEXT: 	.param .u64 .ptr .global .align 16 out,
// PTX-NEXT: 	.param .u32 n,
// PTX-NEXT: 	.param .align 64 .b8 map[128]
// PTX-NEXT: )
// PTX-NEXT: .maxclusterrank 4
// PTX-NEXT: {
// CHECK: ptx.kernel @declared(%out: i64, %n: i32, %map: !ptx.param_array<128, 64>) attributes {declarations = [".u64 .ptr .global .align 16 out", ".u32 n", ".align 64 .b8 map[128]"], directives = [".maxclusterrank 4"]} {
ptx.kernel @declared(%out : i64, %n : i32, %map : !ptx.param_array<128, 64>) attributes {
    declarations = [".u64 .ptr .global .align 16 out", ".u32 n", ".align 64 .b8 map[128]"],
    directives = [".maxclusterrank 4"]} {
  // CHECK-NEXT: %address = ptx.parameter_address %map : !ptx.param_array<128, 64> -> i64
  %address = ptx.parameter_address %map : !ptx.param_array<128, 64> -> i64
  // Parameters are loaded where an operation loads them.
  // CHECK-NEXT: %0 = ptx.load_parameter %out : i64 -> i64
  // PTX: ld.param.b64 %rd1, [out];
  %0 = ptx.load_parameter %out : i64 -> i64
  // The address of a parameter that is only accessed is its name.
  // PTX-NEXT: ld.param.b32 %r1, [map+8];
  %1 = ptx.ld param b32 [%address + 8] -> i32
  // PTX-NEXT: st.global.b32 [%rd1], %r1;
  ptx.st global b32 [%0], {%1}
  // CHECK: %2 = ptx.parameter_address %map : !ptx.param_array<128, 64> -> i32
  // PTX-NEXT: mov.b32 %r2, map;
  %2 = ptx.parameter_address %map : !ptx.param_array<128, 64> -> i32
  // PTX-NEXT: st.global.b32 [%rd1], %r2;
  ptx.st global b32 [%0], {%2}
  // As compilers based on LLVM write it.
  // CHECK: %3 = ptx.ld "param::entry" b32 [%2 + 4] -> i32
  // PTX-NEXT: ld.param::entry.b32 %r3, [%r2+4];
  %5 = ptx.ld "param::entry" b32 [%2 + 4] -> i32
  // PTX-NEXT: st.global.b32 [%rd1], %r3;
  ptx.st global b32 [%0], {%5}
  // CHECK: ptx.prefetch.tensormap [%2] {spelling = "param"}
  // PTX-NEXT: prefetch.param.tensormap [%r2];
  ptx.prefetch.tensormap [%2] {spelling = "param"}
  // An address in a register is used from there.
  // CHECK: %in_register = ptx.parameter_address %map : !ptx.param_array<128, 64> -> i64 {in_register}
  // PTX-NEXT: mov.b64 %rd2, map;
  %in_register = ptx.parameter_address %map : !ptx.param_array<128, 64> -> i64 {in_register}
  // PTX-NEXT: ld.param.b32 %r4, [%rd2+12];
  %4 = ptx.ld param b32 [%in_register + 12] -> i32
  // PTX-NEXT: st.global.b32 [%rd1], %r4;
  ptx.st global b32 [%0], {%4}
  // PTX-NEXT: ld.param.b32 %r5, [n];
  %3 = ptx.load_parameter %n : i32 -> i32
  // PTX-NEXT: st.global.b32 [%rd1], %r5;
  ptx.st global b32 [%0], {%3}
  ptx.ret
}
