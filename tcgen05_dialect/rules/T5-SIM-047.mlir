// T5-SIM-047
// section: 9.7.13.4
// subject: use of a changed tensor map
// statement: A tensor map that threads have changed in global memory is acquired with
//     fence.proxy.tensormap before a copy uses it.
// why: Copies read tensor maps through a separate proxy, and may otherwise use the old map.
// fix: after the change, execute fence.proxy.tensormap::generic.acquire with the address of the map
//     in the threads that use it
// unbreakable: the tensor map belongs to the launch, not to the program
// shown by: run
