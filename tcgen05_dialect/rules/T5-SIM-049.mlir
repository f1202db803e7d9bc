// T5-SIM-049
// section: 9.7.13.15.10
// subject: commits that arrive at a barrier object before its end
// statement: mbarrier.inval comes after all commits have arrived at the barrier object.
// why: The manual does not define what an arrival at an invalidated object does.
// fix: wait for the last commit before mbarrier.inval
// practice: kernels with warp specialisation of Triton 3.5 to 3.8 invalidate it before
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
