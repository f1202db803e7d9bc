// T5-SIM-056
// section: 9.7.9.26.1
// subject: tensor map that a thread copies to change it
// statement: All {bytes} bytes of a tensor map are written before a thread changes or copies it.
// why: The manual leaves the layout of a tensor map open, so all of its bytes may matter.
// fix: copy all {bytes} bytes of the map
// practice: kernels of CuTe DSL copy the first 64 bytes of a map to shared memory
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
