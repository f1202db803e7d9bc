ptx.kernel @example(%x : bf16) {
  %negated = ptx.neg ftz bf16 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : bf16) {
  %negated = ptx.neg bf16 %x
  ptx.ret
}
