// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.declaration ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);"
ptx.declaration ".func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 a[16]) { ret; }"

ptx.kernel @call(%a : i64, %b : i64) {
  // CHECK: %r = ptx.call @vprintf(%a, %b : i64, i64) -> i32 {parameters = [".b64", ".b64"], returned = [".b32"], stores = ["0+0 .b64", "1+0 .b64"], loads = ["0+0 .b32"], uniform}
  // PTX: .param .b64 param0;
  // PTX-NEXT: .param .b64 param1;
  // PTX-NEXT: st.param.b64 [param0+0], %rd1;
  // PTX-NEXT: st.param.b64 [param1+0], %rd2;
  // PTX-NEXT: .param .b32 retval0;
  // PTX-NEXT: call.uni (retval0), vprintf, (param0, param1);
  // PTX-NEXT: ld.param.b32 %r1, [retval0+0];
  // PTX-NEXT: }
  %r = ptx.call @vprintf(%a, %b : i64, i64) -> i32 {parameters = [".b64", ".b64"], returned = [".b32"], stores = ["0+0 .b64", "1+0 .b64"], loads = ["0+0 .b32"], uniform}
  // CHECK-NEXT: %s, %s_1 = ptx.call @swap(%a, %b : i64, i64) -> i64, i64 {parameters = [".align 8 .b8[16]"], returned = [".align 8 .b8[16]"], stores = ["0+0 .v2.b64"], loads = ["0+0 .b64", "0+8 .b64"]}
  // PTX-NEXT: {
  // PTX-NEXT: .param .align 8 .b8 param0[16];
  // PTX-NEXT: st.param.v2.b64 [param0+0], {%rd1, %rd2};
  // PTX-NEXT: .param .align 8 .b8 retval0[16];
  // PTX-NEXT: call (retval0), swap, (param0);
  // PTX-NEXT: ld.param.b64 %rd3, [retval0+0];
  // PTX-NEXT: ld.param.b64 %rd4, [retval0+8];
  // PTX-NEXT: }
  %s:2 = ptx.call @swap(%a, %b : i64, i64) -> i64, i64 {parameters = [".align 8 .b8[16]"], returned = [".align 8 .b8[16]"], stores = ["0+0 .v2.b64"], loads = ["0+0 .b64", "0+8 .b64"]}
  ptx.ret
}
