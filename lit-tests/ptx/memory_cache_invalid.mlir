// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @volatile(%p : i64) {
  // CHECK: error[T5-PTX-033]: ptx.ld: semantics volatile takes no cache; found cs
  %x = ptx.ld volatile global cs b32 [%p] -> i32
  ptx.ret
}

// -----

ptx.kernel @policy(%s : i32, %x : i32, %policy : i64) {
  // CHECK: error[T5-PTX-034]: ptx.st: space shared needs cache_policy 0; found 1
  ptx.st shared b32 cache_policy(%policy) [%s], {%x}
  ptx.ret
}

// -----

ptx.kernel @eviction(%p : i64) {
  // CHECK: error[T5-PTX-031]: ptx.ld: values 1 takes no eviction; found L2::evict_last
  %x = ptx.ld global "L2::evict_last" b32 [%p] -> i32
  ptx.ret
}
