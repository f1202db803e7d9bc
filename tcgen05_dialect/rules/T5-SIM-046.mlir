// T5-SIM-046
// section: 9.7.13.15.1
// subject: fence after mbarrier.init for other CTAs
// statement: A fence.mbarrier_init follows the initialisation of a barrier object before another
//     CTA uses the object, even if a cluster barrier comes in between.
// why: The manual makes the initialisation visible to other CTAs only with that fence.
// fix: execute fence.mbarrier_init after the init
// practice: tutorial kernels of ThunderKittens execute a cluster barrier only
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
