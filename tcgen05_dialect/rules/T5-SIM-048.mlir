// T5-SIM-048
// section: 9.7.16.10.5
// subject: lanes that a load reads
// statement: Each lane that tcgen05.ld reads was written.
// why: The registers of the lanes that nothing has written hold undefined values.
// fix: load only lanes that the MMA has written, with a shape that fits them
// practice: DeepGEMM loads 32 lanes of accumulators with M = 64, and uses the 16 written ones
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
