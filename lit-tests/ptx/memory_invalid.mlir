// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @space_of_semantics(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, semantics with space param: found acquire; legal: none, weak
  %a = ptx.ld acquire cta param b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @semantics_without_scope(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, scope with space global, semantics acquire: found none; legal: cluster, cta, gpu, sys
  %a = ptx.ld acquire global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @scope_without_semantics(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, scope with space global: found gpu; legal: none
  %a = ptx.ld gpu global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence(%s : i32) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, coherence with space shared: found nc; legal: none
  %a = ptx.ld shared nc b32 [%s] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence_of_generic(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, coherence: found nc; legal: none
  %a = ptx.ld nc b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence_with_weak(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, coherence with space global, semantics weak: found nc; legal: none
  %a = ptx.ld weak global nc b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @cache_of_shared(%s : i32) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, cache with space shared::cta: found L1::no_allocate; legal: none
  %a = ptx.ld "shared::cta" "L1::no_allocate" b32 [%s] -> i32
  ptx.ret
}

// -----

ptx.kernel @cache_of_volatile(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: ld, cache with space global, semantics volatile: found L1::no_allocate; legal: none
  %a = ptx.ld volatile global "L1::no_allocate" b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @nothing_loaded(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: ld, values with space global, type b32: found 0; legal: 1, 2, 4, 8
  ptx.ld global b32 [%p] -> 0 x i32
  ptx.ret
}

// -----

ptx.kernel @three_loaded(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: ld, values with space global, type b32: found 3; legal: 1, 2, 4, 8
  %a:3 = ptx.ld global b32 [%p] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @eight_of_64_bits(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: ld, values with space global, type b64: found 8; legal: 1, 2, 4
  %a:8 = ptx.ld global b64 [%p] -> 8 x i64
  ptx.ret
}

// -----

ptx.kernel @eight_of_shared(%s : i32) {
  // CHECK: error[T5-PTX-031]: ptx.ld: ld, values with space shared, type b32: found 8; legal: 1, 2, 4
  %a:8 = ptx.ld shared b32 [%s] -> 8 x i32
  ptx.ret
}

// -----

ptx.kernel @four_of_64_bits_of_shared(%s : i32) {
  // CHECK: error[T5-PTX-031]: ptx.ld: ld, values with space shared, type b64: found 4; legal: 1, 2
  %a:4 = ptx.ld shared b64 [%s] -> 4 x i64
  ptx.ret
}

// -----

ptx.kernel @release_of_a_load(%p : i64) {
  // CHECK: expected type, one of: b8, b16, b32, b64, f32, f64, s8, s16, s32, s64, u8, u16, u32, u64
  %a = ptx.ld "release" gpu global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @space_of_a_store(%p : i64) {
  // CHECK: error[T5-PTX-092]: ptx.ld: qualifier: found local; legal: global, param, shared, shared::cluster, shared::cta
  %a = "ptx.ld"(%p) <{space = "local", type = "b32"}> : (i64) -> i32
  ptx.ret
}

// -----

ptx.kernel @store_semantics_without_scope(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: st, scope with space global, semantics release: found none; legal: cluster, cta, gpu, sys
  ptx.st release global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_scope_without_semantics(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: st, scope: found sys; legal: none
  ptx.st sys b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_scope_of_weak(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: st, scope with space global, semantics weak: found gpu; legal: none
  ptx.st weak gpu global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_cache_of_shared(%s : i32, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: st, cache with space shared: found L1::evict_last; legal: none
  ptx.st shared "L1::evict_last" b32 [%s], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_cache_of_volatile(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: st, cache with space global, semantics volatile: found L1::evict_first; legal: none
  ptx.st volatile global "L1::evict_first" b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_of_nothing(%p : i64) {
  // CHECK: error[T5-PTX-032]: ptx.st: st, values with space global, type b32: found 0; legal: 1, 2, 4, 8
  ptx.st global b32 [%p], {}
  ptx.ret
}

// -----

ptx.kernel @store_of_three(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-032]: ptx.st: st, values with space global, type b32: found 3; legal: 1, 2, 4, 8
  ptx.st global b32 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @store_of_four_of_64_bits_to_shared(%s : i32, %l : i64) {
  // CHECK: error[T5-PTX-032]: ptx.st: st, values with space shared, type b64: found 4; legal: 1, 2
  ptx.st shared b64 [%s], {%l, %l, %l, %l}
  ptx.ret
}

// -----

ptx.kernel @store_to_param(%p : i64, %x : i32) {
  // CHECK: expected type, one of: b8, b16, b32, b64, f32, f64, s8, s16, s32, s64, u8, u16, u32, u64
  ptx.st "param" b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @misaligned_vector() {
  %address = ptx.address_of @buffer + 8
  // CHECK: error[T5-PTX-083]: ptx.ld: alignment of an access: found 12 bytes into @buffer, which is aligned to 16; legal: multiples of 16
  %v:4 = ptx.ld shared b32 [%address + 4] -> 4 x i32
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @behind_the_variable(%x : i32) {
  %address = ptx.address_of @buffer
  // CHECK: error[T5-PTX-084]: ptx.st: bytes of an access inside its variable: found 4 bytes at offset 64 of @buffer; legal: inside its 64 bytes
  ptx.st shared b32 [%address + 64], {%x}
  ptx.ret
}
