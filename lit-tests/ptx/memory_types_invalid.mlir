// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @narrow_address(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.ld: PTX operand address with .global must be i64; found i32
  %a = ptx.ld global b32 [%x] -> i32
  ptx.ret
}

// -----

ptx.kernel @generic_address(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.st: PTX operand address as a generic address must be i64; found i32
  ptx.st b32 [%x], {%x}
  ptx.ret
}

// -----

ptx.kernel @bytes(%b : !ptx.param_array<16, 8>) {
  // CHECK: error[T5-PTX-080]: ptx.ld: PTX operand address with .global must be i64; found !ptx.param_array<16, 8>
  %a = ptx.ld global b32 [%b] -> i32
  ptx.ret
}

// -----

ptx.kernel @store_to_bytes(%b : !ptx.param_array<16, 8>, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.st: address: type of an operand or a result must be i32 or i64; found !ptx.param_array<16, 8>
  ptx.st global b32 [%b], {%x}
  ptx.ret
}

// -----

ptx.kernel @address_of_half(%h : i16) {
  // CHECK: error[T5-PTX-080]: ptx.ld: address: type of an operand or a result must be i32, i64 or !ptx.param_array; found i16
  %a = ptx.ld b32 [%h] -> i32
  ptx.ret
}

// -----

ptx.kernel @loaded_type(%p : i64) {
  // CHECK: error[T5-PTX-080]: ptx.ld: PTX operand values with .b32 must be i32, f32 or i64; found i16
  %a = ptx.ld global b32 [%p] -> i16
  ptx.ret
}

// -----

ptx.kernel @loaded_types(%p : i64) {
  // CHECK: error[T5-PTX-080]: ptx.ld: PTX operand values with .f32 must be f32; found i32
  %a:2 = ptx.ld global f32 [%p] -> f32, i32
  ptx.ret
}

// -----

ptx.kernel @loaded_byte(%p : i64) {
  // CHECK: error[T5-PTX-080]: ptx.ld: PTX operand values with .u8 must be i16, i32, i8 or i64; found f32
  %a = ptx.ld global u8 [%p] -> f32
  ptx.ret
}

// -----

ptx.kernel @stored_type(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.st: PTX operand values with .f32 must be f32; found i32
  ptx.st global f32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @result_types_left_out(%p : i64) {
  // CHECK: ptx.ld has no results, but 1 name is given before =
  %a = ptx.ld global b32 [%p]
  ptx.ret
}

// -----

ptx.kernel @address_without_brackets(%p : i64) {
  // CHECK: expected '['; found %p
  %a = ptx.ld global b32 %p -> i32
  ptx.ret
}

// -----

ptx.kernel @offset(%p : i64) {
  // CHECK: expected an integer; found %p
  %a = ptx.ld global b32 [%p + %p] -> i32
  ptx.ret
}

// -----

ptx.kernel @negative_offset(%p : i64) {
  // CHECK: expected ']'; found '-'
  %a = ptx.ld global b32 [%p - 4] -> i32
  ptx.ret
}

// -----

ptx.kernel @value_without_braces(%p : i64, %x : i32) {
  // CHECK: expected '{'; found %x
  ptx.st global b32 [%p], %x
  ptx.ret
}

// -----

ptx.kernel @no_type(%p : i64) {
  // CHECK: expected b8, b16, b32, b64, b128, f32, f64, s8, s16, s32, s64, u8, u16, u32 or u64 as type
  %a = ptx.ld global [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @type_of_memory(%p : i64) {
  // CHECK: expected b8, b16, b32, b64, b128, f32, f64, s8, s16, s32, s64, u8, u16, u32 or u64 as type
  %a = ptx.ld global f16 [%p] -> f16
  ptx.ret
}

// -----

ptx.kernel @cvta_space(%p : i64) {
  // CHECK: expected const, global, local, param, param::entry, shared, shared::cluster or shared::cta as space; found texture
  %a = ptx.cvta texture %p
  ptx.ret
}

// -----

ptx.kernel @cvta_without_space(%p : i64) {
  // CHECK: expected const, global, local, param, param::entry, shared, shared::cluster or shared::cta as space; found %p
  %a = ptx.cvta.to %p
  ptx.ret
}

// -----

ptx.kernel @cvta_operand(%s : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cvta: a: type of an operand or a result must be i64; found i32
  %a = ptx.cvta global %s
  ptx.ret
}

// -----

ptx.kernel @cvta_to_operand(%s : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cvta.to: a: type of an operand or a result must be i64; found i32
  %a = ptx.cvta.to "shared::cta" %s
  ptx.ret
}

// -----

ptx.kernel @mapa_operand(%p : i64, %rank : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mapa: address: type of an operand or a result must be i32; found i64
  %a = ptx.mapa %p, %rank
  ptx.ret
}
