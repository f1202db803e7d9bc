// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_230(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-230]: ptx.tensormap.replace: field rank needs type b32; found b64
  ptx.tensormap.replace rank global b64 [%p], %p
  ptx.ret
}

// -----

ptx.kernel @ptx_231(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-231]: ptx.tensormap.replace.dimension: field global_stride needs type b64; found b32
  ptx.tensormap.replace.dimension global_stride global b32 [%p], 0, %x
  ptx.ret
}

// -----

ptx.kernel @ptx_232(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-232]: ptx.tensormap.replace.dimension: dimension of a field must be 0, 1, 2, 3 or 4; found 5
  ptx.tensormap.replace.dimension box_dim global b32 [%p], 5, %x
  ptx.ret
}

// -----

ptx.kernel @ptx_233(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-233]: ptx.tensormap.replace.mode: field fill_mode needs value 0 or 1; found 2
  ptx.tensormap.replace.mode fill_mode global [%p], 2
  ptx.ret
}

// -----

ptx.kernel @ptx_233_4(%p : i64, %x : i32) {
  // CHECK: error[T5-PTX-233]: ptx.tensormap.replace.mode: field swizzle_mode needs value 0, 1, 2, 3 or 4; found 7
  ptx.tensormap.replace.mode swizzle_mode global [%p], 7
  ptx.ret
}

// -----

ptx.shared_memory @map size 128 alignment 128
ptx.kernel @ptx_084(%p : i64, %x : i32) {
  %map = ptx.address_of @map
  // CHECK: error[T5-PTX-084]: ptx.tensormap.cp_fenceproxy: accessed bytes must be inside the 128 bytes of @map; found 128 bytes at offset 64
  ptx.tensormap.cp_fenceproxy gpu [%p], [%map + 64]
  ptx.ret
}

// -----

ptx.shared_memory @map size 128 alignment 16
ptx.kernel @ptx_083(%p : i64, %x : i32) {
  %map = ptx.address_of @map
  // CHECK: error[T5-PTX-083]: ptx.tensormap.replace: accessed address must be aligned to 64 bytes; found 0 bytes into @map, which is aligned to 16
  ptx.tensormap.replace rank "shared::cta" b32 [%map], %x
  ptx.ret
}
