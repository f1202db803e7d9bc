// T5-SIM-041
// section: 5.1.7
// subject: end of a CTA after its bulk stores
// statement: A CTA ends only after its bulk stores have read its shared memory.
// why: The manual does not guarantee that shared memory outlives the CTA.
// fix: execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group.read
// practice: DeepGEMM does not wait for its last store
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
