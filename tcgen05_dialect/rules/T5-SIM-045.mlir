// T5-SIM-045
// section: 9.7.16.7.1
// subject: product of a CTA pair after the alloc of the peer
// statement: An operation of a CTA pair is ordered after the alloc of both CTAs, not only after the
//     alloc of the CTA that executes the operation.
// why: Both CTAs execute alloc collectively, and the manual does not guarantee that the alloc of
//     one waits for the peer.
// fix: execute a cluster barrier, or wait for an arrival of the peer, after alloc
// practice: persistent kernels of CuTe DSL and kernels of Mojo wait for the alloc of their own CTA
//     only
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
