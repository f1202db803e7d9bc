ptx.kernel @example(%x : bf16) {
  %difference = ptx.sub rz bf16 %x, %x
  ptx.ret
}

// -----

ptx.kernel @example(%x : bf16) {
  %difference = ptx.sub rn bf16 %x, %x
  ptx.ret
}
