// T5-PTX-203
// section: 9.7.9.25.4.2
// subject: operation of a bulk reduction in shared memory
// statement: The operation of a bulk reduction in shared memory determines its legal types.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a type that the operation allows, or reduce in global memory

ptx.kernel @example(%from : i32, %to : i32, %size : i32, %full : i32) {
  ptx.cp.reduce.async.bulk.remote min u64 [%to], [%from], %size, [%full]
  ptx.ret
}

// -----

ptx.kernel @example(%from : i32, %to : i32, %size : i32, %full : i32) {
  ptx.cp.reduce.async.bulk.remote min u32 [%to], [%from], %size, [%full]
  ptx.ret
}
