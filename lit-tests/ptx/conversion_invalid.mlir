// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @cvt_without_rounding(%f : f32, %g : f32) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: cvt, rounding with type s32, source f32: found none; legal: rmi, rni, rpi, rzi
  %d = ptx.cvt s32 f32 %f
  ptx.ret
}

// -----

ptx.kernel @cvt_rounding(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: cvt, rounding with type s64, source s32: found rn; legal: none
  %d = ptx.cvt rn s64 s32 %x
  ptx.ret
}

// -----

ptx.kernel @cvt_saturation_of_what_fits(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: cvt, saturate with type s64, source s32: found sat; legal: none
  %d = ptx.cvt sat s64 s32 %x
  ptx.ret
}

// -----

ptx.kernel @cvt_flush(%d : f64) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: cvt, flush with type s32, source f64, rounding rzi: found ftz; legal: none
  %e = ptx.cvt rzi ftz s32 f64 %d
  ptx.ret
}

// -----

ptx.kernel @cvt_bytes(%b : bf16) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: cvt, source with type u8: found bf16; legal: f16, f32, f64, s8, s16, s32, s64, u8, u16, u32, u64
  %c = ptx.cvt rzi u8 bf16 %b
  ptx.ret
}

// -----

ptx.kernel @cvt_source(%d : f64) {
  // CHECK: error[T5-PTX-020]: ptx.cvt: cvt, source with type tf32: found f64; legal: f32
  %e = ptx.cvt rna tf32 f64 %d
  ptx.ret
}

// -----

ptx.kernel @pack_parts(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-022]: ptx.pack: mov of a vector, parts with type b32: found 1; legal: 2
  %d = ptx.pack b32 {%x}
  ptx.ret
}

// -----

ptx.kernel @pack_bits(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-022]: ptx.pack: mov of a vector, bits with type b32, parts 2: found 32; legal: 16
  %d = ptx.pack b32 {%x, %y}
  ptx.ret
}

// -----

ptx.kernel @pack_three(%h : i16) {
  // CHECK: error[T5-PTX-022]: ptx.pack: mov of a vector, parts with type b64: found 3; legal: 2, 4
  %d = ptx.pack b64 {%h, %h, %h}
  ptx.ret
}

// -----

ptx.kernel @unpack_parts(%l : i64) {
  // CHECK: error[T5-PTX-022]: ptx.unpack: mov of a vector, parts with type b64: found 3; legal: 2, 4
  %a:3 = ptx.unpack b64 %l -> 3 x i16
  ptx.ret
}

// -----

ptx.kernel @unpack_bits(%l : i64) {
  // CHECK: error[T5-PTX-022]: ptx.unpack: mov of a vector, bits with type b64, parts 2: found 16; legal: 32
  %a:2 = ptx.unpack b64 %l -> 2 x i16
  ptx.ret
}

// -----

ptx.kernel @pack_predicates(%x : i32, %y : i32) {
  %p = ptx.setp eq b32 %x, %y
  // CHECK: error[T5-PTX-022]: ptx.pack: mov of a vector, bits with type b32, parts 2: found none; legal: 16
  %d = ptx.pack b32 {%p, %p}
  ptx.ret
}

// -----

ptx.kernel @cvt_operand(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cvt: a, .f32: found i32; legal: f32
  %d = ptx.cvt rn f16 f32 %x
  ptx.ret
}

// -----

ptx.kernel @cvt_pack_operand(%x : i32, %y : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cvt.pack: high, .f32: found i32; legal: f32
  %d = ptx.cvt.pack rn f16x2 f32 %x, %y
  ptx.ret
}
