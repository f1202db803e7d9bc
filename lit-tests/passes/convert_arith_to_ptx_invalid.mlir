// RUN: tcgen05-opt %s -p convert-arith-to-ptx --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @extended(%a : i32) {
  // CHECK: error[T5-PTX-104]: arith.addui_extended: the operation has no lowering to PTX here; expected arith.addf, arith.addi, arith.andi, arith.bitcast, arith.ceildivsi, arith.ceildivui, arith.cmpf, arith.cmpi, arith.constant, arith.divf, arith.divsi, arith.divui, arith.extf, arith.extsi, arith.extui, arith.floordivsi, arith.fptosi, arith.fptoui, arith.index_cast, arith.maximumf, arith.maxnumf, arith.maxsi, arith.maxui, arith.minimumf, arith.minnumf, arith.minsi, arith.minui, arith.mulf, arith.muli, arith.negf, arith.ori, arith.remsi, arith.remui, arith.select, arith.shli, arith.shrsi, arith.shrui, arith.sitofp, arith.subf, arith.subi, arith.truncf, arith.trunci, arith.uitofp, arith.xori
  %s, %c = arith.addui_extended %a, %a : i32, i1
  ptx.ret
}

// -----

ptx.kernel @bytes(%a : i32) {
  // CHECK: error[T5-PTX-081]: arith.trunci: type of a register must be i1, i16, f16, bf16, i32, f32, i64, f64, index; found i8
  %b = arith.trunci %a : i32 to i8
  ptx.ret
}

// -----

ptx.kernel @vector() {
  // CHECK: error[T5-PTX-081]: arith.constant: type of a register must be i1, i16, f16, bf16, i32, f32, i64, f64, index; found vector<4xi32>
  %b = arith.constant dense<1> : vector<4xi32>
  ptx.ret
}

// -----

ptx.kernel @division_of_predicates(%a : i32) {
  %p = ptx.setp eq b32 %a, %a
  // CHECK: error[T5-PTX-080]: arith.divui: type of an operand or a result must be a wider integer; found i1
  %q = arith.divui %p, %p : i1
  ptx.ret
}

// -----

ptx.kernel @shift_of_predicates(%a : i32) {
  %p = ptx.setp eq b32 %a, %a
  // CHECK: error[T5-PTX-080]: arith.shli: type of an operand or a result must be a wider integer; found i1
  %q = arith.shli %p, %p : i1
  ptx.ret
}

// -----

ptx.kernel @maximum_of_doubles(%a : f64) {
  // CHECK: error[T5-PTX-080]: arith.maximumf: type of an operand or a result must be f16, bf16 or f32; found f64
  %b = arith.maximumf %a, %a : f64
  ptx.ret
}

// -----

ptx.kernel @predicate_of_a_float(%a : f32) {
  // CHECK: error[T5-PTX-080]: arith.fptosi: type of an operand or a result must be a wider integer; found i1
  %b = arith.fptosi %a : f32 to i1
  ptx.ret
}

// -----

ptx.kernel @same_width(%a : f16) {
  // CHECK: error[T5-PTX-080]: arith.extf: type of an operand or a result must be a wider type; found f16 to bf16
  %b = arith.extf %a : f16 to bf16
  ptx.ret
}

// -----

ptx.kernel @widths(%a : f32) {
  // CHECK: error[T5-PTX-080]: arith.truncf: type of an operand or a result must be a narrower type; found f32 to f64
  %b = arith.truncf %a : f32 to f64
  ptx.ret
}

// -----

ptx.kernel @selected(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %p = ptx.setp eq b32 %slot, %slot
  // CHECK: error[T5-PTX-081]: arith.select: type of a register must be i1, i16, f16, bf16, i32, f32, i64, f64, index; found !tcgen05.tmem<128x64xf32>
  %e = arith.select %p, %d, %d : !tcgen05.tmem<128x64xf32>
  ptx.ret
}
