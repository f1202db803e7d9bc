// T5-CONTRACT-001
// section: 5.1.6.1
// subject: contract of a parameter
// statement: The bounds and the factor in a contract are numbers that the parameter can have. Each
//     label is shared by at least two pointers or tensor maps.
// why: Otherwise no launch could keep the contract, or the contract would have no effect.
// fix: write a contract that the type of the parameter allows

ptx.kernel @example(%a : i64 {ptx.same_array = "a"}, %k : i32 {ptx.multiple_of = 0}) {
  ptx.ret
}

// -----

ptx.kernel @example(%a_map : !ptx.tensor_map {ptx.same_array = "a"},
                    %a : i64 {ptx.same_array = "a"}, %k : i32 {ptx.multiple_of = 8}) {
  ptx.ret
}
