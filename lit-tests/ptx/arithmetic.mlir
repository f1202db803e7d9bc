// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

ptx.kernel @integers(%h : i16, %x : i32, %y : i32, %z : i32, %l : i64, %m : i64) {
  // CHECK: %add = ptx.add s32 %x, %y
  // GENERIC: %add = "ptx.add"(%x, %y) <{type = "s32"}> : (i32, i32) -> i32
  // PTX: add.s32 %r{{[0-9]+}}, %r1, %r2;
  %add = ptx.add s32 %x, %y
  // CHECK-NEXT: %add16 = ptx.add u16 %h, %h
  // PTX-NEXT: add.u16 %rs{{[0-9]+}}, %rs1, %rs1;
  %add16 = ptx.add u16 %h, %h
  // CHECK-NEXT: %sub = ptx.sub s64 %l, %m
  // GENERIC: %sub = "ptx.sub"(%l, %m) <{type = "s64"}> : (i64, i64) -> i64
  // PTX-NEXT: sub.s64 %rd{{[0-9]+}}, %rd1, %rd2;
  %sub = ptx.sub s64 %l, %m
  // CHECK-NEXT: %mul = ptx.mul lo u32 %x, %y
  // GENERIC: %mul = "ptx.mul"(%x, %y) <{half = "lo", type = "u32"}> : (i32, i32) -> i32
  // PTX-NEXT: mul.lo.u32 %r{{[0-9]+}}, %r1, %r2;
  %mul = ptx.mul lo u32 %x, %y
  // CHECK-NEXT: %mul_hi = ptx.mul hi s64 %l, %m
  // PTX-NEXT: mul.hi.s64 %rd{{[0-9]+}}, %rd1, %rd2;
  %mul_hi = ptx.mul hi s64 %l, %m
  // CHECK-NEXT: %wide = ptx.mul.wide u32 %x, %y
  // GENERIC: %wide = "ptx.mul.wide"(%x, %y) <{type = "u32"}> : (i32, i32) -> i64
  // PTX-NEXT: mul.wide.u32 %rd{{[0-9]+}}, %r1, %r2;
  %wide = ptx.mul.wide u32 %x, %y
  // CHECK-NEXT: %mad = ptx.mad s32 %x, %y, %z
  // GENERIC: %mad = "ptx.mad"(%x, %y, %z) <{type = "s32"}> : (i32, i32, i32) -> i32
  // PTX-NEXT: mad.lo.s32 %r{{[0-9]+}}, %r1, %r2, %r3;
  %mad = ptx.mad s32 %x, %y, %z
  // CHECK-NEXT: %mad_wide = ptx.mad.wide s32 %x, %y, %l
  // GENERIC: %mad_wide = "ptx.mad.wide"(%x, %y, %l) <{type = "s32"}> : (i32, i32, i64) -> i64
  // PTX-NEXT: mad.wide.s32 %rd{{[0-9]+}}, %r1, %r2, %rd1;
  %mad_wide = ptx.mad.wide s32 %x, %y, %l
  // CHECK-NEXT: %div = ptx.div u32 %x, %y
  // GENERIC: %div = "ptx.div"(%x, %y) <{type = "u32"}> : (i32, i32) -> i32
  // PTX-NEXT: div.u32 %r{{[0-9]+}}, %r1, %r2;
  %div = ptx.div u32 %x, %y
  // CHECK-NEXT: %rem = ptx.rem s64 %l, %m
  // GENERIC: %rem = "ptx.rem"(%l, %m) <{type = "s64"}> : (i64, i64) -> i64
  // PTX-NEXT: rem.s64 %rd{{[0-9]+}}, %rd1, %rd2;
  %rem = ptx.rem s64 %l, %m
  // CHECK-NEXT: %min = ptx.min s32 %x, %y
  // GENERIC: %min = "ptx.min"(%x, %y) <{type = "s32"}> : (i32, i32) -> i32
  // PTX-NEXT: min.s32 %r{{[0-9]+}}, %r1, %r2;
  %min = ptx.min s32 %x, %y
  // CHECK-NEXT: %max = ptx.max u64 %l, %m
  // GENERIC: %max = "ptx.max"(%l, %m) <{type = "u64"}> : (i64, i64) -> i64
  // PTX-NEXT: max.u64 %rd{{[0-9]+}}, %rd1, %rd2;
  %max = ptx.max u64 %l, %m
  // CHECK-NEXT: %neg = ptx.neg s16 %h
  // GENERIC: %neg = "ptx.neg"(%h) <{type = "s16"}> : (i16) -> i16
  // PTX-NEXT: neg.s16 %rs{{[0-9]+}}, %rs1;
  %neg = ptx.neg s16 %h
  // CHECK-NEXT: %abs = ptx.abs s32 %x
  // GENERIC: %abs = "ptx.abs"(%x) <{type = "s32"}> : (i32) -> i32
  // PTX-NEXT: abs.s32 %r{{[0-9]+}}, %r1;
  %abs = ptx.abs s32 %x
  ptx.ret
}

ptx.kernel @logic(%h : i16, %x : i32, %y : i32, %l : i64, %m : i64, %f : f32, %g : f32) {
  // CHECK: %and = ptx.and b32 %x, %y
  // GENERIC: %and = "ptx.and"(%x, %y) <{type = "b32"}> : (i32, i32) -> i32
  // PTX: and.b32 %r{{[0-9]+}}, %r1, %r2;
  %and = ptx.and b32 %x, %y
  // CHECK-NEXT: %or = ptx.or b64 %l, %m
  // GENERIC: %or = "ptx.or"(%l, %m) <{type = "b64"}> : (i64, i64) -> i64
  // PTX-NEXT: or.b64 %rd{{[0-9]+}}, %rd1, %rd2;
  %or = ptx.or b64 %l, %m
  // CHECK-NEXT: %xor = ptx.xor b16 %h, %h
  // GENERIC: %xor = "ptx.xor"(%h, %h) <{type = "b16"}> : (i16, i16) -> i16
  // PTX-NEXT: xor.b16 %rs{{[0-9]+}}, %rs1, %rs1;
  %xor = ptx.xor b16 %h, %h
  // CHECK-NEXT: %not = ptx.not b32 %x
  // GENERIC: %not = "ptx.not"(%x) <{type = "b32"}> : (i32) -> i32
  // PTX-NEXT: not.b32 %r{{[0-9]+}}, %r1;
  %not = ptx.not b32 %x
  // Registers are bits: the type of a result that is not the usual one stands behind it.
  // CHECK-NEXT: %not_f = ptx.not b32 %f -> f32
  // PTX-NEXT: not.b32 %r{{[0-9]+}}, %r3;
  %not_f = ptx.not b32 %f -> f32
  // CHECK-NEXT: %shl = ptx.shl b32 %x, %y
  // GENERIC: %shl = "ptx.shl"(%x, %y) <{type = "b32"}> : (i32, i32) -> i32
  // PTX-NEXT: shl.b32 %r{{[0-9]+}}, %r1, %r2;
  %shl = ptx.shl b32 %x, %y
  // CHECK-NEXT: %shr = ptx.shr s32 %x, %y
  // GENERIC: %shr = "ptx.shr"(%x, %y) <{type = "s32"}> : (i32, i32) -> i32
  // PTX-NEXT: shr.s32 %r{{[0-9]+}}, %r1, %r2;
  %shr = ptx.shr s32 %x, %y
  // CHECK-NEXT: %shr64 = ptx.shr u64 %l, %y
  // PTX-NEXT: shr.u64 %rd{{[0-9]+}}, %rd1, %r2;
  %shr64 = ptx.shr u64 %l, %y
  // CHECK-NEXT: %p = ptx.setp eq b32 %x, %y
  // GENERIC: %p = "ptx.setp"(%x, %y) <{comparison = "eq", type = "b32"}> : (i32, i32) -> i1
  // PTX-NEXT: setp.eq.b32 %p{{[0-9]+}}, %r1, %r2;
  %p = ptx.setp eq b32 %x, %y
  // CHECK-NEXT: %q = ptx.setp hs u64 %l, %m
  // PTX-NEXT: setp.hs.u64 %p{{[0-9]+}}, %rd1, %rd2;
  %q = ptx.setp hs u64 %l, %m
  // CHECK-NEXT: %r = ptx.setp leu ftz f32 %f, %g
  // PTX-NEXT: setp.leu.ftz.f32 %p{{[0-9]+}}, %r3, %r4;
  %r = ptx.setp leu ftz f32 %f, %g
  // CHECK-NEXT: %both = ptx.and pred %p, %q
  // PTX-NEXT: and.pred %p{{[0-9]+}}, %p{{[0-9]+}}, %p{{[0-9]+}};
  %both = ptx.and pred %p, %q
  // CHECK-NEXT: %neither = ptx.not pred %both
  // PTX-NEXT: not.pred %p{{[0-9]+}}, %p{{[0-9]+}};
  %neither = ptx.not pred %both
  // CHECK-NEXT: %selp = ptx.selp b32 %x, %y, %neither
  // GENERIC: %selp = "ptx.selp"(%x, %y, %neither) <{type = "b32"}> : (i32, i32, i1) -> i32
  // PTX-NEXT: selp.b32 %r{{[0-9]+}}, %r1, %r2, %p{{[0-9]+}};
  %selp = ptx.selp b32 %x, %y, %neither
  // CHECK-NEXT: %selp_f = ptx.selp f32 %f, %g, %r
  // PTX-NEXT: selp.f32 %r{{[0-9]+}}, %r3, %r4, %p{{[0-9]+}};
  %selp_f = ptx.selp f32 %f, %g, %r
  // CHECK-NEXT: %copy = ptx.mov b64 %l
  // GENERIC: %copy = "ptx.mov"(%l) <{type = "b64"}> : (i64) -> i64
  // PTX-NEXT: mov.b64 %rd{{[0-9]+}}, %rd1;
  %copy = ptx.mov b64 %l
  // CHECK-NEXT: %bits = ptx.mov b32 %f
  // PTX-NEXT: mov.b32 %r{{[0-9]+}}, %r3;
  %bits = ptx.mov b32 %f
  ptx.ret
}

ptx.kernel @floats(%f : f32, %g : f32, %e : f32, %d : f64, %c : f64, %h : f16, %i : bf16, %x : i32, %l : i64) {
  // CHECK: %add = ptx.add f32 %f, %g
  // PTX: add.f32 %r{{[0-9]+}}, %r1, %r2;
  %add = ptx.add f32 %f, %g
  // CHECK-NEXT: %add_rn = ptx.add rn ftz f32 %f, %g
  // PTX-NEXT: add.rn.ftz.f32 %r{{[0-9]+}}, %r1, %r2;
  %add_rn = ptx.add rn ftz f32 %f, %g
  // CHECK-NEXT: %add_pair = ptx.add rz f32x2 %l, %l
  // PTX-NEXT: add.rz.f32x2 %rd{{[0-9]+}}, %rd3, %rd3;
  %add_pair = ptx.add rz f32x2 %l, %l
  // CHECK-NEXT: %sub = ptx.sub rp f64 %d, %c
  // PTX-NEXT: sub.rp.f64 %rd{{[0-9]+}}, %rd1, %rd2;
  %sub = ptx.sub rp f64 %d, %c
  // CHECK-NEXT: %mul = ptx.mul rn f16 %h, %h
  // PTX-NEXT: mul.rn.f16 %rs{{[0-9]+}}, %rs1, %rs1;
  %mul = ptx.mul rn f16 %h, %h
  // CHECK-NEXT: %mul_pair = ptx.mul rn bf16x2 %x, %x
  // PTX-NEXT: mul.rn.bf16x2 %r{{[0-9]+}}, %r4, %r4;
  %mul_pair = ptx.mul rn bf16x2 %x, %x
  // CHECK-NEXT: %fma = ptx.fma rm ftz f32 %f, %g, %e
  // GENERIC: %fma = "ptx.fma"(%f, %g, %e) <{rounding = "rm", flush = "ftz", type = "f32"}> : (f32, f32, f32) -> f32
  // PTX-NEXT: fma.rm.ftz.f32 %r{{[0-9]+}}, %r1, %r2, %r3;
  %fma = ptx.fma rm ftz f32 %f, %g, %e
  // CHECK-NEXT: %fma_half = ptx.fma rn bf16 %i, %i, %i
  // PTX-NEXT: fma.rn.bf16 %rs{{[0-9]+}}, %rs2, %rs2, %rs2;
  %fma_half = ptx.fma rn bf16 %i, %i, %i
  // CHECK-NEXT: %div = ptx.div full ftz f32 %f, %g
  // PTX-NEXT: div.full.ftz.f32 %r{{[0-9]+}}, %r1, %r2;
  %div = ptx.div full ftz f32 %f, %g
  // CHECK-NEXT: %div_d = ptx.div rn f64 %d, %c
  // PTX-NEXT: div.rn.f64 %rd{{[0-9]+}}, %rd1, %rd2;
  %div_d = ptx.div rn f64 %d, %c
  // CHECK-NEXT: %min = ptx.min ftz NaN f32 %f, %g
  // PTX-NEXT: min.ftz.NaN.f32 %r{{[0-9]+}}, %r1, %r2;
  %min = ptx.min ftz NaN f32 %f, %g
  // CHECK-NEXT: %max = ptx.max NaN bf16x2 %x, %x
  // PTX-NEXT: max.NaN.bf16x2 %r{{[0-9]+}}, %r4, %r4;
  %max = ptx.max NaN bf16x2 %x, %x
  // CHECK-NEXT: %neg = ptx.neg ftz f16x2 %x
  // PTX-NEXT: neg.ftz.f16x2 %r{{[0-9]+}}, %r4;
  %neg = ptx.neg ftz f16x2 %x
  // CHECK-NEXT: %abs = ptx.abs f64 %d
  // PTX-NEXT: abs.f64 %rd{{[0-9]+}}, %rd1;
  %abs = ptx.abs f64 %d
  // CHECK-NEXT: %ex2 = ptx.ex2 ftz f32 %f
  // GENERIC: %ex2 = "ptx.ex2"(%f) <{flush = "ftz", type = "f32"}> : (f32) -> f32
  // PTX-NEXT: ex2.approx.ftz.f32 %r{{[0-9]+}}, %r1;
  %ex2 = ptx.ex2 ftz f32 %f
  // CHECK-NEXT: %ex2_half = ptx.ex2 ftz bf16 %i
  // PTX-NEXT: ex2.approx.ftz.bf16 %rs{{[0-9]+}}, %rs2;
  %ex2_half = ptx.ex2 ftz bf16 %i
  // CHECK-NEXT: %lg2 = ptx.lg2 f32 %f
  // GENERIC: %lg2 = "ptx.lg2"(%f) <{type = "f32"}> : (f32) -> f32
  // PTX-NEXT: lg2.approx.f32 %r{{[0-9]+}}, %r1;
  %lg2 = ptx.lg2 f32 %f
  // CHECK-NEXT: %lg2_ftz = ptx.lg2 ftz f32 %f
  // PTX-NEXT: lg2.approx.ftz.f32 %r{{[0-9]+}}, %r1;
  %lg2_ftz = ptx.lg2 ftz f32 %f
  // CHECK-NEXT: %rcp = ptx.rcp approx ftz f32 %f
  // GENERIC: %rcp = "ptx.rcp"(%f) <{rounding = "approx", flush = "ftz", type = "f32"}> : (f32) -> f32
  // PTX-NEXT: rcp.approx.ftz.f32 %r{{[0-9]+}}, %r1;
  %rcp = ptx.rcp approx ftz f32 %f
  // CHECK-NEXT: %rcp_d = ptx.rcp rn f64 %d
  // PTX-NEXT: rcp.rn.f64 %rd{{[0-9]+}}, %rd1;
  %rcp_d = ptx.rcp rn f64 %d
  // CHECK-NEXT: %sqrt = ptx.sqrt approx f32 %f
  // GENERIC: %sqrt = "ptx.sqrt"(%f) <{rounding = "approx", type = "f32"}> : (f32) -> f32
  // PTX-NEXT: sqrt.approx.f32 %r{{[0-9]+}}, %r1;
  %sqrt = ptx.sqrt approx f32 %f
  // CHECK-NEXT: %sqrt_d = ptx.sqrt rz f64 %d
  // PTX-NEXT: sqrt.rz.f64 %rd{{[0-9]+}}, %rd1;
  %sqrt_d = ptx.sqrt rz f64 %d
  ptx.ret
}

ptx.kernel @of_magnitudes(%f : f32, %h : bf16, %x : i32) {
  // CHECK: %least = ptx.min ftz NaN xorsign f32 %f, %f
  // PTX: min.ftz.NaN.xorsign.abs.f32 %r3, %r1, %r1;
  %least = ptx.min ftz NaN xorsign f32 %f, %f
  // CHECK-NEXT: %greatest = ptx.max xorsign bf16 %h, %h
  // PTX-NEXT: max.xorsign.abs.bf16 %rs2, %rs1, %rs1;
  %greatest = ptx.max xorsign bf16 %h, %h
  // CHECK-NEXT: %sum = ptx.fma rz sat f32 %f, %f, %f {spelling = "mad"}
  // PTX-NEXT: mad.rz.sat.f32 %r4, %r1, %r1, %r1;
  %sum = ptx.fma rz sat f32 %f, %f, %f {spelling = "mad"}
  ptx.ret
}
