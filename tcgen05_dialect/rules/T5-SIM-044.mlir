// T5-SIM-044
// section: 8.9
// subject: loads of a warp before the arrival of one of its lanes
// statement: If the memory that the lanes of a warp have loaded is written next, the lanes
//     synchronise before one of them arrives at a barrier object for the whole warp.
// why: The manual orders the loads of a lane only before the arrivals of that lane.
// fix: execute bar.warp.sync between the loads and the arrival
// practice: kernels of CuTe DSL and Mojo let one lane arrive for the loads of its warp
// unbreakable: only PTX text gets the warning; in IR it is an error
// shown by: run
