// T5-PTX-053
// section: 9.7.9.25.3.1
// subject: number of bytes that cp.async copies
// statement: cp.async copies {sizes} bytes; with .cg, which skips the L1 cache, it copies
//     {largest} bytes.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use .ca, or copy the number of bytes that .cg requires

ptx.kernel @example(%a : i32, %from : i64) {
  ptx.cp.async cg [%a], [%from], 8
  ptx.ret
}

// -----

ptx.kernel @example(%a : i32, %from : i64) {
  ptx.cp.async ca [%a], [%from], 8
  ptx.ret
}
