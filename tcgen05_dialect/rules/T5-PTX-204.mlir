// T5-PTX-204
// section: 9.7.9.25.4.2
// subject: operation of a bulk reduction in global memory
// statement: The operation of a bulk reduction in global memory determines its legal types. An
//     addition of f16 or bf16 has noftz; an addition of f32 may have it.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use a type that the operation allows; an addition of f16 or bf16 needs noftz

ptx.kernel @example(%to : i64, %from : i32, %size : i32) {
  ptx.cp.reduce.async.bulk.store add f16 [%to], [%from], %size
  ptx.ret
}

// -----

ptx.kernel @example(%to : i64, %from : i32, %size : i32) {
  ptx.cp.reduce.async.bulk.store add noftz f16 [%to], [%from], %size
  ptx.ret
}
