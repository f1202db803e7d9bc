// T5-SIM-048
// section: 9.7.16.10.5
// subject: lanes that a load reads
// statement: tcgen05.ld reads only lanes that were written.
// why: A lane that nothing has written gives its thread undefined values.
// fix: load only the lanes that the MMA writes, with a shape that has no others
// practice: DeepGEMM loads all 32 lanes of an accumulator with M = 64. The MMA writes 16 of them, and
//     the kernel uses only these 16
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
