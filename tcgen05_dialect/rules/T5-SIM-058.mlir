// T5-SIM-058
// section: 9.7.16.6.4
// subject: order of accesses to tensor memory around an arrival
// statement: A thread that has waited for its accesses to tensor memory releases them when it
//     arrives at a barrier object for which other threads wait.
// why: A relaxed arrival orders no accesses without fences, and tcgen05.wait orders them only before
//     later accesses of the same thread.
// fix: let the arrival release, or execute tcgen05.fence::before_thread_sync before it
// practice: kernels of cuDNN arrive with .relaxed after tcgen05.wait
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
