// T5-SIM-051
// section: 9.7.13.15.9
// subject: mbarrier.init that one thread executes
// statement: One thread initialises a barrier object.
// why: The manual does not define a second mbarrier.init of an object.
// fix: let one thread execute mbarrier.init, such as the one that elect.sync chooses
// practice: kernels of CuTe DSL 4.4 and 4.5 let all lanes of a warp execute mbarrier.init
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
