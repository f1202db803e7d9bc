// T5-PTX-046
// section: 9.7.13.16.2
// subject: number of coordinates of the first CTA
// statement: The vector of the first CTA has its three coordinates and an unused number.
// why: The instruction has no other forms; ptxas refuses them.
// fix: give a vector of four registers, the last of which may be a sink

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
