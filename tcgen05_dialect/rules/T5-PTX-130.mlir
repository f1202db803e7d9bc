// T5-PTX-130
// section: 5.1, 5.4
// subject: variable in memory
// statement: Only a variable in global or constant memory may have initial bytes. A variable in
//     local memory is declared in a kernel. A variable has a size, unless it is external.
// why: ptxas refuses other declarations.
// fix: declare the variable with a size; declare a variable in local memory in a kernel

ptx.variable "local" @table size 16 alignment 4
ptx.kernel @example() {
  ptx.ret
}

// -----

ptx.kernel @example() {
  ptx.variable "local" @table size 16 alignment 4
  ptx.ret
}
