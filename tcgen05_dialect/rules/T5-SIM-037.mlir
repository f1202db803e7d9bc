// T5-SIM-037
// section: 9.7.13.3
// subject: order of accesses around a cluster barrier
// statement: An arrival at a cluster barrier with release orders the earlier accesses of its thread
//     to shared memory before the later accesses of other threads. This holds within a CTA, too.
// why: An arrival with .relaxed orders no accesses.
// fix: let barrier.cluster.arrive release
// practice: DeepGEMM reads the address that alloc stored after an arrival with .relaxed. CUTLASS
//     initialises barrier objects after its last fence, and uses them after such an arrival
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
