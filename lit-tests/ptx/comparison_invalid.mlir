// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @combination(%f : f32, %p : i32) {
  // CHECK: error[T5-PTX-143]: ptx.setp_pair: combination and needs predicate 1; found 0
  %a, %b = ptx.setp_pair lt and f32 %f, %f
  ptx.ret
}

// -----

ptx.kernel @set(%x : i32) {
  // CHECK: error[T5-PTX-144]: ptx.set: source s32 needs comparison eq, ge, gt, le, lt or ne; found ltu
  %a = ptx.set ltu u32 s32 %x, %x
  ptx.ret
}

// -----

ptx.kernel @slct(%x : i32) {
  // CHECK: error[T5-PTX-145]: ptx.slct: source s32 takes no flush; found ftz
  %a = ptx.slct ftz b32 s32 %x, %x, %x
  ptx.ret
}
