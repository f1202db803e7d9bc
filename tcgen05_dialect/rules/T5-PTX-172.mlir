// T5-PTX-172
// section: 9.7.3.7
// subject: spelling mad of fma
// statement: fma may be spelled mad only for f32 and f64.
// why: mad does not exist for other floating-point types; ptxas refuses it.
// fix: leave out the spelling mad

ptx.kernel @example(%h : f16) {
  %sum = ptx.fma rn f16 %h, %h, %h {spelling = "mad"}
  ptx.ret
}

// -----

ptx.kernel @example(%h : f16) {
  %sum = ptx.fma rn f16 %h, %h, %h
  ptx.ret
}
