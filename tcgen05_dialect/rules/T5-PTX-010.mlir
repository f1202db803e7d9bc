ptx.kernel @example(%x : bf16) {
  %power = ptx.ex2 bf16 %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : bf16) {
  %power = ptx.ex2 ftz bf16 %x
  ptx.ret
}
