// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @space_of_semantics(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: space param takes semantics none or weak; found acquire
  %a = ptx.ld acquire cta param b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @semantics_without_scope(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: semantics acquire needs scope cluster, cta, gpu or sys; found none
  %a = ptx.ld acquire global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @scope_without_semantics(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: without semantics, scope must be left out; found gpu
  %a = ptx.ld gpu global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence(%s : i32) {
  // CHECK: error[T5-PTX-033]: ptx.ld: space shared takes no coherence; found nc
  %a = ptx.ld shared nc b32 [%s] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence_of_generic(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: without space, coherence must be left out; found nc
  %a = ptx.ld nc b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence_with_weak(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: semantics weak takes no coherence; found nc
  %a = ptx.ld weak global nc b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @cache_of_shared(%s : i32) {
  // CHECK: error[T5-PTX-033]: ptx.ld: space shared::cta takes cache none, ca, cg, cs, cv or lu; found L1::no_allocate
  %a = ptx.ld "shared::cta" "L1::no_allocate" b32 [%s] -> i32
  ptx.ret
}

// -----

ptx.kernel @cache_of_volatile(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: semantics volatile takes no cache; found L1::no_allocate
  %a = ptx.ld volatile global "L1::no_allocate" b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @nothing_loaded(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: values must be 1, 2, 4 or 8; found 0
  ptx.ld global b32 [%p] -> 0 x i32
  ptx.ret
}

// -----

ptx.kernel @three_loaded(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: values must be 1, 2, 4 or 8; found 3
  %a:3 = ptx.ld global b32 [%p] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @eight_of_64_bits(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: type b64 needs values 1, 2 or 4; found 8
  %a:8 = ptx.ld global b64 [%p] -> 8 x i64
  ptx.ret
}

// -----

ptx.kernel @eight_of_shared(%s : i32) {
  // CHECK: error[T5-PTX-031]: ptx.ld: space shared needs values 1, 2 or 4; found 8
  %a:8 = ptx.ld shared b32 [%s] -> 8 x i32
  ptx.ret
}

// -----

ptx.kernel @four_of_64_bits_of_shared(%s : i32) {
  // CHECK: error[T5-PTX-031]: ptx.ld: space shared with type b64 needs values 1 or 2; found 4
  %a:4 = ptx.ld shared b64 [%s] -> 4 x i64
  ptx.ret
}

// -----

ptx.kernel @release_of_a_load(%p : i64) {
  // CHECK: expected b8, b16, b32, b64, b128, f32, f64, s8, s16, s32, s64, u8, u16, u32 or u64 as type
  %a = ptx.ld "release" gpu global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @space_of_a_store(%p : i64) {
  // CHECK: error[T5-PTX-092]: ptx.ld: qualifier must be const, global, local, param, param::entry, shared, shared::cluster or shared::cta; found texture
  %a = "ptx.ld"(%p) <{space = "texture", type = "b32"}> : (i64) -> i32
  ptx.ret
}

// -----

ptx.kernel @store_semantics_without_scope(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: semantics release needs scope cluster, cta, gpu or sys; found none
  ptx.st release global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_scope_without_semantics(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: without semantics, scope must be left out; found sys
  ptx.st sys b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_scope_of_weak(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: semantics weak takes no scope; found gpu
  ptx.st weak gpu global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_cache_of_shared(%s : i32, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: space shared takes cache none, cg, cs, wb or wt; found L1::evict_last
  ptx.st shared "L1::evict_last" b32 [%s], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_cache_of_volatile(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-034]: ptx.st: semantics volatile takes no cache; found L1::evict_first
  ptx.st volatile global "L1::evict_first" b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_of_nothing(%p : i64) {
  // CHECK: error[T5-PTX-032]: ptx.st: values must be 1, 2, 4 or 8; found 0
  ptx.st global b32 [%p], {}
  ptx.ret
}

// -----

ptx.kernel @store_of_three(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-032]: ptx.st: values must be 1, 2, 4 or 8; found 3
  ptx.st global b32 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @store_of_four_of_64_bits_to_shared(%s : i32, %l : i64) {
  // CHECK: error[T5-PTX-032]: ptx.st: space shared with type b64 needs values 1 or 2; found 4
  ptx.st shared b64 [%s], {%l, %l, %l, %l}
  ptx.ret
}

// -----

ptx.kernel @store_to_param(%p : i64, %x : i32) {
  // CHECK: expected b8, b16, b32, b64, b128, f32, f64, s8, s16, s32, s64, u8, u16, u32 or u64 as type
  ptx.st "param" b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @misaligned_vector() {
  %address = ptx.address_of @buffer + 8
  // CHECK: error[T5-PTX-083]: ptx.ld: accessed address must be aligned to 16 bytes; found 12 bytes into @buffer, which is aligned to 16
  %v:4 = ptx.ld shared b32 [%address + 4] -> 4 x i32
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @behind_the_variable(%x : i32) {
  %address = ptx.address_of @buffer
  // CHECK: error[T5-PTX-084]: ptx.st: accessed bytes must be inside the 64 bytes of @buffer; found 4 bytes at offset 64
  ptx.st shared b32 [%address + 64], {%x}
  ptx.ret
}

// -----

ptx.kernel @prefetch_level(%p : i64) {
  // CHECK: error[T5-PTX-225]: ptx.prefetch: space local needs level L1 or L2; found L2::evict_last
  ptx.prefetch local "L2::evict_last" [%p]
  ptx.ret
}
