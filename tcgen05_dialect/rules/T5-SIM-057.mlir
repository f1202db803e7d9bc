// T5-SIM-057
// section: 9.7.13.3
// subject: arrival of a thread at a barrier before the thread ends
// statement: If a barrier must order the accesses of a thread before those of other threads, the
//     thread arrives at the barrier before it ends.
// why: A barrier does not wait for threads that have ended, but the manual does not say that the
//     end of a thread orders its accesses.
// fix: let the threads arrive at the barrier before they end
// practice: tutorial kernels of ThunderKittens end the warps that load, and deallocate tensor
//     memory after a cluster barrier
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
