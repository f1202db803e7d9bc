builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.1">} {
  ptx.kernel @example(%to : i32, %full : i32, %d : i64) {
    %w = ptx.pack b128 {%d, %d}
    ptx.st.async b128 [%to], {%w}, [%full]
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @example(%to : i32, %full : i32, %d : i64) {
    %w = ptx.pack b128 {%d, %d}
    ptx.st.async b128 [%to], {%w}, [%full]
    ptx.ret
  }
}
