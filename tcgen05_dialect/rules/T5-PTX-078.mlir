// T5-PTX-078
// section: 11.4.3, 11.4.4
// subject: directives of a kernel
// statement: A kernel has at most one of maxntid and reqntid; minnctapersm needs one of the two.
// why: ptxas refuses maxntid together with reqntid, and ignores minnctapersm without them.
// fix: give maxntid or reqntid, not both; give minnctapersm together with one of them

ptx.kernel @example() attributes {minnctapersm = 2 : i32} {
  ptx.ret
}

// -----

ptx.kernel @example() attributes {minnctapersm = 2 : i32, maxntid = array<i32: 128>} {
  ptx.ret
}
