// T5-PTX-114
// section: 5.1.6.1
// subject: declaration of a parameter
// statement: The declarations of a kernel are the PTX texts of its parameters, one for each,
//     without .param; its further directives are PTX texts too.
// why: ptxas refuses the text.
// fix: write the type and the name of each parameter, and whole directives

ptx.kernel @example(%n : i32) attributes {declarations = [".param .u32 n;"]} {
  ptx.ret
}

// -----

ptx.kernel @example(%n : i32) attributes {declarations = [".u32 n"]} {
  ptx.ret
}
