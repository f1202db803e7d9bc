ptx.kernel @example(%f : f32, %mask : i32) {
  %d = ptx.redux.sync add f32 %f, %mask
  ptx.ret
}

// -----

ptx.kernel @example(%f : f32, %mask : i32) {
  %d = ptx.redux.sync max f32 %f, %mask
  ptx.ret
}
