ptx.kernel @example(%h : f16) {
  %sum = ptx.fma rn f16 %h, %h, %h {spelling = "mad"}
  ptx.ret
}

// -----

ptx.kernel @example(%h : f16) {
  %sum = ptx.fma rn f16 %h, %h, %h
  ptx.ret
}
