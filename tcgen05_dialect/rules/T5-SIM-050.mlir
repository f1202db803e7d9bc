// T5-SIM-050
// section: 9.7.19.5
// subject: number of registers that the warps of a warpgroup keep
// statement: All warps of a warpgroup execute setmaxnreg.dec with the same number of registers.
// why: The manual asks for the same instruction in all warps of a warpgroup.
// fix: execute setmaxnreg with the same number of registers in all warps of the warpgroup
// practice: mixed-input kernels of CuTe DSL and attention kernels of Mojo give the warps different numbers
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
