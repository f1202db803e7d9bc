// T5-COMMIT-001
// section: 9.7.16.12.1
// subject: state space of mbar
// statement: commit signals a barrier object in the shared memory of the cluster.
// why: PTX has no spelling for another state space.
// fix: use .shared::cluster or a generic address
// unbreakable: neither IR nor PTX can spell another state space
