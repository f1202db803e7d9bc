ptx.kernel @example(%a : i64 {ptx.same_array = "a"}, %k : i32 {ptx.multiple_of = 0}) {
  ptx.ret
}

// -----

ptx.kernel @example(%a_map : !ptx.tensor_map {ptx.same_array = "a"},
                    %a : i64 {ptx.same_array = "a"}, %k : i32 {ptx.multiple_of = 8}) {
  ptx.ret
}
