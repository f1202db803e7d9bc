// T5-SIM-043
// section: 9.7.13.15
// subject: wait of a thread that no other thread awaits
// statement: The end of a phase of a barrier object is ordered after all waits for the previous
//     phase, including the waits of threads that do nothing between them.
// why: A wait gives only the parity of its phase: a thread that is late by a whole phase would wait
//     for another one, or forever.
// fix: let only the thread that goes on wait, or put a barrier between the wait and the end of the
//     next phase
// practice: in tutorial kernels of ThunderKittens, all threads wait, but only one goes on
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
