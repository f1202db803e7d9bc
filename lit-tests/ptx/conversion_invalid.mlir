// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @cvt_without_rounding(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: type s32 with source f32 needs rounding rmi, rni, rpi or rzi; found none
  %d = ptx.cvt s32 f32 %f
  ptx.ret
}

// -----

ptx.kernel @cvt_rounding(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: type s64 with source s32 takes no rounding; found rn
  %d = ptx.cvt rn s64 s32 %x
  ptx.ret
}

// -----

ptx.kernel @cvt_saturation_of_what_fits(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: type s64 with source s32 takes no saturate; found sat
  %d = ptx.cvt sat s64 s32 %x
  ptx.ret
}

// -----

ptx.kernel @cvt_flush(%d : f64) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: type s32 with source f64 takes no flush; found ftz
  %e = ptx.cvt rzi ftz s32 f64 %d
  ptx.ret
}

// -----

ptx.kernel @cvt_bytes(%b : bf16) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: type u8 with rounding rzi needs source f16, f32 or f64; found bf16
  %c = ptx.cvt rzi u8 bf16 %b
  ptx.ret
}

// -----

ptx.kernel @cvt_source(%d : f64) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: type tf32 needs source f32; found f64
  %e = ptx.cvt rna tf32 f64 %d
  ptx.ret
}

// -----

ptx.kernel @pack_parts(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-022]: ptx.pack: parts must be 2 or 4; found 1
  %d = ptx.pack b32 {%x}
  ptx.ret
}

// -----

ptx.kernel @pack_bits(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-022]: ptx.pack: type b32 with parts 2 needs bits 16; found 32
  %d = ptx.pack b32 {%x, %y}
  ptx.ret
}

// -----

ptx.kernel @pack_three(%h : i16) {
  // CHECK: error[T5-PTX-022]: ptx.pack: parts must be 2 or 4; found 3
  %d = ptx.pack b64 {%h, %h, %h}
  ptx.ret
}

// -----

ptx.kernel @unpack_parts(%l : i64) {
  // CHECK: error[T5-PTX-022]: ptx.unpack: parts must be 2 or 4; found 3
  %a:3 = ptx.unpack b64 %l -> 3 x i16
  ptx.ret
}

// -----

ptx.kernel @unpack_bits(%l : i64) {
  // CHECK: error[T5-PTX-022]: ptx.unpack: type b64 with parts 2 needs bits 32; found 16
  %a:2 = ptx.unpack b64 %l -> 2 x i16
  ptx.ret
}

// -----

ptx.kernel @pack_predicates(%x : i32, %y : i32) {
  %p = ptx.setp eq b32 %x, %y
  // CHECK: error[T5-PTX-022]: ptx.pack: type b32 with parts 2 needs bits 16; found none
  %d = ptx.pack b32 {%p, %p}
  ptx.ret
}

// -----

ptx.kernel @cvt_operand(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cvt: PTX operand a with .f32 must be f32; found i32
  %d = ptx.cvt rn f16 f32 %x
  ptx.ret
}

// -----

ptx.kernel @cvt_pack_operand(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cvt.pack: PTX operand high with .f32 must be f32; found i32
  %d = ptx.cvt.pack rn f16x2 f32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @byte_in_a_register(%b : bf16) {
  // CHECK: error[T5-PTX-080]: ptx.cvt.byte: d: type of an operand or a result must be i8; found i16
  %d = "ptx.cvt.byte"(%b) <{type = "u8", source = "bf16", rounding = "rzi"}> : (bf16) -> i16
  ptx.ret
}
