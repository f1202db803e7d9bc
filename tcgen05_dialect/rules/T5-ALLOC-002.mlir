// T5-ALLOC-002
// section: 9.7.16.7.1
// subject: state space of dst
// statement: alloc writes its result to shared memory of the executing CTA.
// why: PTX has no spelling for another state space.
// fix: use .shared::cta or a generic address
// unbreakable: neither IR nor PTX can spell another state space
