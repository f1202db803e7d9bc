// T5-SIM-039
// section: 5.1
// subject: address of an access to shared memory
// statement: An instruction that names shared memory has an address in shared memory.
// why: The manual defines generic addresses only for instructions that name no state space.
// fix: convert the address with cvta.to.shared
// practice: ThunderKittens gives tcgen05.alloc a generic address
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
