// T5-SIM-057
// section: 9.7.13.3
// subject: order of accesses before the end of threads
// statement: A thread arrives at a barrier after its accesses that the barrier orders before those
//     of other threads, even if it ends then.
// why: A barrier does not wait for threads that have ended, but the manual orders no accesses
//     before the end of a thread.
// fix: let the threads arrive at the barrier before they end
// practice: tutorial kernels of ThunderKittens end the warps that load, and deallocate after a
//     cluster barrier
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
