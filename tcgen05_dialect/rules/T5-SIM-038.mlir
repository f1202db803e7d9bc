// T5-SIM-038
// section: 8.9
// subject: bulk store that one thread issues
// statement: One thread issues a bulk copy from shared memory to global memory.
// why: Each thread copies by itself, so the copies write the same memory without an order.
// fix: let one thread issue it, such as the one that elect.sync chooses
// practice: kernels of CuTe DSL let all lanes of a warp issue the same store
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
