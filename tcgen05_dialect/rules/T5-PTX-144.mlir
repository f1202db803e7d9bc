ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.set ltu u32 s32 %x, %y
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %y : i32) {
  %less = ptx.set lt u32 s32 %x, %y
  ptx.ret
}
