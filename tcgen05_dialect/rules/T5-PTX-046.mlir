ptx.kernel @example(%wide : i64) {
  %response = ptx.pack b128 {%wide, %wide}
  %first:3 = ptx.clusterlaunchcontrol.first_cta_vector %response -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @example(%wide : i64) {
  %response = ptx.pack b128 {%wide, %wide}
  %first:4 = ptx.clusterlaunchcontrol.first_cta_vector %response -> 4 x i32
  ptx.ret
}
