// T5-PTX-055
// section: 9.7.9.25.5.2, 5.5.4.2
// subject: number of coordinates of a copy of four rows
// statement: A copy of four rows has five coordinates: that of the column, then those of the four
//     rows.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give the coordinate of the column, then those of four rows

ptx.kernel @example(%map : !ptx.tensor_map, %x : i32, %s : i32) {
  ptx.cp.async.bulk.tensor.scatter4 %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @example(%map : !ptx.tensor_map, %x : i32, %s : i32) {
  ptx.cp.async.bulk.tensor.scatter4 %map, {%x, %x, %x, %x, %x}, [%s]
  ptx.ret
}
