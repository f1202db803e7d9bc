// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @table(%a : i32) {
  // CHECK: error[T5-PTX-014]: ptx.lop3: look-up table of lop3 must be 0, 1, ... 255; found 256
  %d = ptx.lop3 %a, %a, %a, 256
  ptx.ret
}

// -----

ptx.kernel @type_of_field(%a : i32) {
  // CHECK: error[T5-PTX-080]: ptx.bfe: PTX operand a with .u64 must be i64; found i32
  %d = ptx.bfe u64 %a, %a, %a
  ptx.ret
}

// -----

ptx.kernel @field_of_bits(%a : i32) {
  // CHECK: expected s32, s64, u32 or u64 as type; found b32
  %d = ptx.bfe b32 %a, %a, %a
  ptx.ret
}

// -----

ptx.kernel @position(%a : i64) {
  // CHECK: error[T5-PTX-080]: ptx.bfi: position: type of an operand or a result must be i32; found i64
  %d = ptx.bfi b64 %a, %a, %a, %a
  ptx.ret
}

// -----

ptx.kernel @mode(%a : i32) {
  // CHECK: error[T5-PTX-092]: ptx.prmt: qualifier must be b4e, ecl, ecr, f4e, rc8 or rc16; found f8
  %d = "ptx.prmt"(%a, %a, %a) <{mode = "f8"}> : (i32, i32, i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @bytes(%a : i32) {
  // CHECK: expected s32 or u32 as a_type; found u8
  %d = ptx.vabsdiff4.add u32 u8 u32 %a, %a, %a
  ptx.ret
}

// -----

ptx.kernel @saturated_bytes(%a : i32) {
  // CHECK: error[T5-PTX-092]: ptx.vabsdiff4: qualifier must be sat
  %d = "ptx.vabsdiff4"(%a, %a, %a) <{type = "u32", a_type = "u32", b_type = "u32", saturate = "x"}> : (i32, i32, i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @halves(%a : i32) {
  // CHECK: expected s32 or u32 as a_type; found u16
  %d = ptx.vabsdiff2.add u32 u16 u32 %a, %a, %a
  ptx.ret
}

// -----

ptx.kernel @saturated_halves(%a : i32) {
  // CHECK: error[T5-PTX-092]: ptx.vabsdiff2: qualifier must be sat
  %d = "ptx.vabsdiff2"(%a, %a, %a) <{type = "u32", a_type = "u32", b_type = "u32", saturate = "x"}> : (i32, i32, i32) -> i32
  ptx.ret
}
