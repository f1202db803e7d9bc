// T5-SIM-056
// section: 9.7.9.26.1
// subject: written bytes of a tensor map that a thread changes or copies
// statement: All {bytes} bytes of a tensor map are written before a thread changes or copies it.
// why: The manual does not define the layout of a tensor map, so each byte may matter.
// fix: write or copy all {bytes} bytes of the map first
// practice: kernels of CuTe DSL copy only the first 64 bytes of a map to shared memory
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
