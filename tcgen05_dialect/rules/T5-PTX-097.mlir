// T5-PTX-097
// section: 9.7
// subject: spelling of the instruction
// statement: The printed spelling of an instruction contains all its operands, and all results that
//     are used.
// why: Otherwise the printed text would lack an operand, or never set a register that is used.
// fix: leave out the property `spelling`

ptx.kernel @example(%x : i32, %lane : i32, %out : i64) {
  %mask = ptx.constant -1 : i32
  %bounds = ptx.constant 31 : i32
  %d, %in_range = ptx.shfl.sync down %x, %lane, %bounds, %mask {spelling = "no_predicate"}
  %chosen = ptx.selp b32 %d, %x, %in_range
  ptx.st global b32 [%out], {%chosen}
  ptx.ret
}

// -----

ptx.kernel @example(%x : i32, %lane : i32, %out : i64) {
  %mask = ptx.constant -1 : i32
  %bounds = ptx.constant 31 : i32
  %d, %in_range = ptx.shfl.sync down %x, %lane, %bounds, %mask
  %chosen = ptx.selp b32 %d, %x, %in_range
  ptx.st global b32 [%out], {%chosen}
  ptx.ret
}
