// T5-SIM-036
// section: 9.7.16.8.1
// subject: lane in the address of a load or store
// statement: The address of tcgen05.ld and tcgen05.st contains a lane that the executing warp can
//     access; lane 0 does not stand for the first lane of every warp.
// why: The manual leaves an access to other lanes undefined.
// fix: add the first lane of the warp to the lane of the address
// practice: DeepGEMM, TileLang and Mojo give lane 0 to all warps, and each warp accesses its own
//     lanes
// unbreakable: only PTX text gets the warning; in IR it is an error
