// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @space_of_semantics(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found acquire; legal: none, weak [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld acquire cta param b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @semantics_without_scope(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found none; legal: cluster, cta, gpu, sys [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld acquire global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @scope_without_semantics(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found gpu; legal: none [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld gpu global b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence(%s : i32) {
  // CHECK: error: ptx.ld: {{.*}}found nc; legal: none [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld shared nc b32 [%s] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence_of_generic(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found nc; legal: none [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld nc b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @coherence_with_weak(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found nc; legal: none [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld weak global nc b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @cache_of_shared(%s : i32) {
  // CHECK: error: ptx.ld: {{.*}}found L1::no_allocate; legal: none [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld "shared::cta" "L1::no_allocate" b32 [%s] -> i32
  ptx.ret
}

// -----

ptx.kernel @cache_of_volatile(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found L1::no_allocate; legal: none [T5-PTX-033] (PTX ISA 9.7.9.8, 9.7.9.9)
  %a = ptx.ld volatile global "L1::no_allocate" b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @nothing_loaded(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found 0; legal: 1, 2, 4, 8 [T5-PTX-031] (PTX ISA 9.7.9.8)
  ptx.ld global b32 [%p] -> 0 x i32
  ptx.ret
}

// -----

ptx.kernel @three_loaded(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found 3; legal: 1, 2, 4, 8 [T5-PTX-031] (PTX ISA 9.7.9.8)
  %a:3 = ptx.ld global b32 [%p] -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @eight_of_64_bits(%p : i64) {
  // CHECK: error: ptx.ld: {{.*}}found 8; legal: 1, 2, 4 [T5-PTX-031] (PTX ISA 9.7.9.8)
  %a:8 = ptx.ld global b64 [%p] -> 8 x i64
  ptx.ret
}

// -----

ptx.kernel @eight_of_shared(%s : i32) {
  // CHECK: error: ptx.ld: {{.*}}found 8; legal: 1, 2, 4 [T5-PTX-031] (PTX ISA 9.7.9.8)
  %a:8 = ptx.ld shared b32 [%s] -> 8 x i32
  ptx.ret
}

// -----

ptx.kernel @four_of_64_bits_of_shared(%s : i32) {
  // CHECK: error: ptx.ld: {{.*}}found 4; legal: 1, 2 [T5-PTX-031] (PTX ISA 9.7.9.8)
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
  // CHECK: error: ptx.ld: qualifier: found local; legal: global, param, shared, shared::cluster, shared::cta [T5-PTX-092]
  %a = "ptx.ld"(%p) <{space = "local", type = "b32"}> : (i64) -> i32
  ptx.ret
}

// -----

ptx.kernel @store_semantics_without_scope(%p : i64, %x : i32) {
  // CHECK: error: ptx.st: {{.*}}found none; legal: cluster, cta, gpu, sys [T5-PTX-034] (PTX ISA 9.7.9.11)
  ptx.st release global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_scope_without_semantics(%p : i64, %x : i32) {
  // CHECK: error: ptx.st: {{.*}}found sys; legal: none [T5-PTX-034] (PTX ISA 9.7.9.11)
  ptx.st sys b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_scope_of_weak(%p : i64, %x : i32) {
  // CHECK: error: ptx.st: {{.*}}found gpu; legal: none [T5-PTX-034] (PTX ISA 9.7.9.11)
  ptx.st weak gpu global b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_cache_of_shared(%s : i32, %x : i32) {
  // CHECK: error: ptx.st: {{.*}}found L1::evict_last; legal: none [T5-PTX-034] (PTX ISA 9.7.9.11)
  ptx.st shared "L1::evict_last" b32 [%s], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_cache_of_volatile(%p : i64, %x : i32) {
  // CHECK: error: ptx.st: {{.*}}found L1::evict_first; legal: none [T5-PTX-034] (PTX ISA 9.7.9.11)
  ptx.st volatile global "L1::evict_first" b32 [%p], {%x}
  ptx.ret
}

// -----

ptx.kernel @store_of_nothing(%p : i64) {
  // CHECK: error: ptx.st: {{.*}}found 0; legal: 1, 2, 4, 8 [T5-PTX-032] (PTX ISA 9.7.9.11)
  ptx.st global b32 [%p], {}
  ptx.ret
}

// -----

ptx.kernel @store_of_three(%p : i64, %x : i32) {
  // CHECK: error: ptx.st: {{.*}}found 3; legal: 1, 2, 4, 8 [T5-PTX-032] (PTX ISA 9.7.9.11)
  ptx.st global b32 [%p], {%x, %x, %x}
  ptx.ret
}

// -----

ptx.kernel @store_of_four_of_64_bits_to_shared(%s : i32, %l : i64) {
  // CHECK: error: ptx.st: {{.*}}found 4; legal: 1, 2 [T5-PTX-032] (PTX ISA 9.7.9.11)
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
  // CHECK: error: ptx.ld: alignment of an access: found 12 bytes into @buffer, which is aligned to 16; legal: multiples of 16 [T5-PTX-083] (PTX ISA 6.4.1)
  %v:4 = ptx.ld shared b32 [%address + 4] -> 4 x i32
  ptx.ret
}

// -----

ptx.shared_memory @buffer size 64 alignment 16
ptx.kernel @behind_the_variable(%x : i32) {
  %address = ptx.address_of @buffer
  // CHECK: error: ptx.st: bytes of an access inside its variable: found 4 bytes at offset 64 of @buffer; legal: inside its 64 bytes [T5-PTX-084] (PTX ISA 5.1.7)
  ptx.st shared b32 [%address + 64], {%x}
  ptx.ret
}
