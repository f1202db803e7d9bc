// T5-PTX-210
// section: 5.5.4, 5.5.5, 9.7.9.25.5.2
// subject: coordinates and offsets of a load in im2col mode
// statement: A load in im2col mode has one coordinate for each of three to five dimensions, and two
//     fewer offsets; in im2col::w modes it has a halo and one offset instead.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give the coordinates and offsets of the mode

ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col im2col [%s], %map, {%x, %x, %x, %x}, [%b], {%o}
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  ptx.cp.async.bulk.tensor.im2col im2col [%s], %map, {%x, %x, %x, %x}, [%b], {%o, %o}
  ptx.ret
}
