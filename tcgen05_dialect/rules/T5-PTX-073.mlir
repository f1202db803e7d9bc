// T5-PTX-073
// section: 5.1.6.1
// subject: bytes of parameters
// statement: The parameters of a kernel fit into parameter memory.
// why: ptxas refuses the kernel.
// fix: pass less data by value, and the rest in global memory

ptx.kernel @example(%table : !ptx.param_array<65536, 8>) {
  %x = ptx.ld param b32 [%table] -> i32
  ptx.ret
}

// -----

ptx.kernel @example(%table : !ptx.param_array<16384, 8>) {
  %x = ptx.ld param b32 [%table] -> i32
  ptx.ret
}
