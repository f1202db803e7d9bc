// T5-SIM-055
// section: 9.7.13.15.16
// subject: scope of a wait for other CTAs
// statement: A wait for a phase in which threads of other CTAs arrive acquires at the scope of the
//     cluster.
// why: Without a scope, a wait has the scope of its CTA, and orders nothing that threads of other
//     CTAs did.
// fix: write .acquire.cluster
// practice: CUTLASS and Mojo wait for the arrivals of other CTAs without a scope
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
