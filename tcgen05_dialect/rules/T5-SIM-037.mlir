// T5-SIM-037
// section: 9.7.13.3
// subject: order of accesses around a cluster barrier
// statement: A thread releases its accesses to shared memory when it arrives at a cluster barrier
//     that orders them before the accesses of other threads, even if these threads are in the same
//     CTA.
// why: The manual orders no accesses before an arrival with .relaxed.
// fix: let barrier.cluster.arrive release
// practice: DeepGEMM reads the address that alloc stored, and CUTLASS uses barrier objects that it
//     initialised after its last fence, after an arrival with .relaxed
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
