// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @conversions(%h : f16, %i : i16, %x : i32, %l : i64, %f : f32, %g : f32, %d : f64, %b : bf16) {
  // CHECK: %widened = ptx.cvt u64 u32 %x
  // GENERIC: %widened = "ptx.cvt"(%x) <{type = "u64", source = "u32"}> : (i32) -> i64
  // PTX: cvt.u64.u32 %rd{{[0-9]+}}, %r1;
  %widened = ptx.cvt u64 u32 %x
  // CHECK-NEXT: %narrowed = ptx.cvt sat s16 s32 %x
  // PTX-NEXT: cvt.sat.s16.s32 %rs{{[0-9]+}}, %r1;
  %narrowed = ptx.cvt sat s16 s32 %x
  // Registers have 16 bits at least; the bytes lie in the lowest of them.
  // CHECK-NEXT: %byte = ptx.cvt u8 u32 %x
  // PTX-NEXT: cvt.u8.u32 %rs{{[0-9]+}}, %r1;
  %byte = ptx.cvt u8 u32 %x
  // CHECK-NEXT: %byte_wide = ptx.cvt u8 u32 %x -> i32
  // PTX-NEXT: cvt.u8.u32 %r{{[0-9]+}}, %r1;
  %byte_wide = ptx.cvt u8 u32 %x -> i32
  // CHECK-NEXT: %from_byte = ptx.cvt s32 s8 %i
  // PTX-NEXT: cvt.s32.s8 %r{{[0-9]+}}, %rs2;
  %from_byte = ptx.cvt s32 s8 %i
  // CHECK-NEXT: %bf16_byte = ptx.cvt.byte rzi u8 bf16 %b
  // PTX-NEXT: cvt.rzi.u8.bf16 %rc{{[0-9]+}}, %rs{{[0-9]+}};
  %bf16_byte = ptx.cvt.byte rzi u8 bf16 %b
  // CHECK-NEXT: %integer = ptx.cvt rzi ftz sat u32 f32 %f
  // PTX-NEXT: cvt.rzi.ftz.sat.u32.f32 %r{{[0-9]+}}, %r2;
  %integer = ptx.cvt rzi ftz sat u32 f32 %f
  // CHECK-NEXT: %float = ptx.cvt rn f32 s64 %l
  // PTX-NEXT: cvt.rn.f32.s64 %r{{[0-9]+}}, %rd1;
  %float = ptx.cvt rn f32 s64 %l
  // CHECK-NEXT: %double = ptx.cvt f64 f32 %f
  // PTX-NEXT: cvt.f64.f32 %rd{{[0-9]+}}, %r2;
  %double = ptx.cvt f64 f32 %f
  // CHECK-NEXT: %half = ptx.cvt rn f16 f32 %f
  // PTX-NEXT: cvt.rn.f16.f32 %rs{{[0-9]+}}, %r2;
  %half = ptx.cvt rn f16 f32 %f
  // CHECK-NEXT: %floor = ptx.cvt rmi f64 f64 %d
  // PTX-NEXT: cvt.rmi.f64.f64 %rd{{[0-9]+}}, %rd2;
  %floor = ptx.cvt rmi f64 f64 %d
  // CHECK-NEXT: %rounded = ptx.cvt rna tf32 f32 %f
  // PTX-NEXT: cvt.rna.tf32.f32 %r{{[0-9]+}}, %r2;
  %rounded = ptx.cvt rna tf32 f32 %f
  // CHECK-NEXT: %as_float = ptx.cvt rna tf32 f32 %f -> f32
  // PTX-NEXT: cvt.rna.tf32.f32 %r{{[0-9]+}}, %r2;
  %as_float = ptx.cvt rna tf32 f32 %f -> f32
  // CHECK-NEXT: %from_bf16 = ptx.cvt f32 bf16 %b
  // PTX-NEXT: cvt.f32.bf16 %r{{[0-9]+}}, %rs3;
  %from_bf16 = ptx.cvt f32 bf16 %b
  // CHECK-NEXT: %halves = ptx.cvt.pack rn f16x2 f32 %f, %g
  // GENERIC: %halves = "ptx.cvt.pack"(%f, %g) <{rounding = "rn", type = "f16x2", source = "f32"}> : (f32, f32) -> i32
  // PTX-NEXT: cvt.rn.f16x2.f32 %r{{[0-9]+}}, %r2, %r3;
  %halves = ptx.cvt.pack rn f16x2 f32 %f, %g
  // CHECK-NEXT: %relu = ptx.cvt.pack rz relu bf16x2 f32 %f, %g
  // PTX-NEXT: cvt.rz.relu.bf16x2.f32 %r{{[0-9]+}}, %r2, %r3;
  %relu = ptx.cvt.pack rz relu bf16x2 f32 %f, %g
  ptx.ret
}

ptx.kernel @vectors(%i : i16, %h : f16, %b : bf16, %x : i32, %f : f32, %l : i64) {
  // CHECK: %two = ptx.pack b32 {%i, %h}
  // GENERIC: %two = "ptx.pack"(%i, %h) <{type = "b32"}> : (i16, f16) -> i32
  // PTX: mov.b32 %r{{[0-9]+}}, {%rs1, %rs2};
  %two = ptx.pack b32 {%i, %h}
  // CHECK-NEXT: %float = ptx.pack b32 {%b, %b} -> f32
  // PTX-NEXT: mov.b32 %r{{[0-9]+}}, {%rs3, %rs3};
  %float = ptx.pack b32 {%b, %b} -> f32
  // CHECK-NEXT: %pair = ptx.pack b64 {%x, %f}
  // PTX-NEXT: mov.b64 %rd{{[0-9]+}}, {%r1, %r2};
  %pair = ptx.pack b64 {%x, %f}
  // CHECK-NEXT: %four = ptx.pack b64 {%i, %h, %b, %i}
  // PTX-NEXT: mov.b64 %rd{{[0-9]+}}, {%rs1, %rs2, %rs3, %rs1};
  %four = ptx.pack b64 {%i, %h, %b, %i}
  // CHECK-NEXT: %low, %high = ptx.unpack b32 %x -> i16, f16
  // GENERIC: %low, %high = "ptx.unpack"(%x) <{type = "b32"}> : (i32) -> (i16, f16)
  // PTX-NEXT: mov.b32 {%rs{{[0-9]+}}, %rs{{[0-9]+}}}, %r1;
  %low, %high = ptx.unpack b32 %x -> i16, f16
  // CHECK-NEXT: %words, %words_1 = ptx.unpack b64 %l -> 2 x i32
  // PTX-NEXT: mov.b64 {%r{{[0-9]+}}, %r{{[0-9]+}}}, %rd1;
  %words:2 = ptx.unpack b64 %l -> 2 x i32
  // CHECK-NEXT: %halves, %halves_1, %halves_2, %halves_3 = ptx.unpack b64 %l -> 4 x i16
  // PTX-NEXT: mov.b64 {%rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}}, %rd1;
  %halves:4 = ptx.unpack b64 %l -> 4 x i16
  ptx.ret
}

// Constants are immediates, but for the types that PTX has none for.
ptx.kernel @constants(%x : i32, %f : f32, %h : f16, %l : i64) {
  // CHECK: %seven = ptx.constant 7 : i32
  %seven = ptx.constant 7 : i32
  // CHECK-NEXT: %minus = ptx.constant -1 : i32
  %minus = ptx.constant -1 : i32
  // CHECK-NEXT: %one = ptx.constant 1.000000e+00 : f32
  %one = ptx.constant 1.0 : f32
  // CHECK-NEXT: %half = ptx.constant 1.000000e+00 : f16
  %half = ptx.constant 1.0 : f16
  // CHECK-NEXT: %long = ptx.constant 4294967296 : i64
  %long = ptx.constant 4294967296 : i64
  // CHECK-NEXT: %true = ptx.constant true
  // PTX: setp.ne.b32 %p{{[0-9]+}}, 1, 0;
  %true = ptx.constant true
  // CHECK-NEXT: %a = ptx.add s32 %x, %seven
  // GENERIC: %a = "ptx.add"(%x, %seven) <{type = "s32"}> : (i32, i32) -> i32
  // PTX-NEXT: add.s32 %r{{[0-9]+}}, %r1, 7;
  %a = ptx.add s32 %x, %seven
  // CHECK-NEXT: %b = ptx.and b32 %minus, %x
  // GENERIC: %b = "ptx.and"(%minus, %x) <{type = "b32"}> : (i32, i32) -> i32
  // PTX-NEXT: and.b32 %r{{[0-9]+}}, -1, %r1;
  %b = ptx.and b32 %minus, %x
  // CHECK-NEXT: %c = ptx.fma rn f32 %f, %one, %one
  // GENERIC: %c = "ptx.fma"(%f, %one, %one) <{rounding = "rn", type = "f32"}> : (f32, f32, f32) -> f32
  // PTX-NEXT: fma.rn.f32 %r{{[0-9]+}}, %r2, 0f3F800000, 0f3F800000;
  %c = ptx.fma rn f32 %f, %one, %one
  // CHECK-NEXT: %d = ptx.add f16 %h, %half
  // PTX-NEXT: mov.b16 %rs{{[0-9]+}}, 0x3C00;
  // PTX-NEXT: add.f16 %rs{{[0-9]+}}, %rs1, %rs{{[0-9]+}};
  %d = ptx.add f16 %h, %half
  // CHECK-NEXT: %e = ptx.mul lo s64 %l, %long
  // GENERIC: %e = "ptx.mul"(%l, %long) <{half = "lo", type = "s64"}> : (i64, i64) -> i64
  // PTX-NEXT: mul.lo.s64 %rd{{[0-9]+}}, %rd1, 4294967296;
  %e = ptx.mul lo s64 %l, %long
  // CHECK-NEXT: %g = ptx.selp b32 %x, %seven, %true
  // GENERIC: %g = "ptx.selp"(%x, %seven, %true) <{type = "b32"}> : (i32, i32, i1) -> i32
  // PTX-NEXT: selp.b32 %r{{[0-9]+}}, %r1, 7, %p{{[0-9]+}};
  %g = ptx.selp b32 %x, %seven, %true
  ptx.ret
}
