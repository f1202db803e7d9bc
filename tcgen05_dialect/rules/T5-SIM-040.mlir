// T5-SIM-040
// section: 9.7.16.6.4.5
// subject: wait for a load before its tensor memory is used again
// statement: A tcgen05.wait::ld stands between a tcgen05.ld and the next use, or the dealloc, of
//     its tensor memory, even if an instruction has read the registers of the load.
// why: The manual orders only the accesses to the registers; the access to tensor memory may happen
//     later.
// fix: execute tcgen05.wait::ld after the load
// practice: in kernels of CuTe DSL, only an instruction that reads the registers waits for the load
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
