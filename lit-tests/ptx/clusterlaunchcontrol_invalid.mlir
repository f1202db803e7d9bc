// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.shared_memory @response size 16 alignment 8
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @alignment() {
  %response = ptx.address_of @response
  %full = ptx.address_of @full
  // CHECK: error[T5-PTX-083]: ptx.clusterlaunchcontrol.try_cancel: accessed address must be aligned to 16 bytes; found 0 bytes into @response, which is aligned to 8
  ptx.clusterlaunchcontrol.try_cancel [%response], [%full]
  ptx.ret
}

// -----

ptx.kernel @response(%wide : i64) {
  // CHECK: error[T5-PTX-080]: ptx.clusterlaunchcontrol.is_canceled: response: type of an operand or a result must be i128; found i64
  %p = ptx.clusterlaunchcontrol.is_canceled %wide
  ptx.ret
}

// -----

ptx.kernel @three(%wide : i64) {
  %opaque = ptx.pack b128 {%wide, %wide}
  // CHECK: error[T5-PTX-046]: ptx.clusterlaunchcontrol.first_cta_vector: number of coordinates of the first CTA must be 4; found 3
  %c:3 = ptx.clusterlaunchcontrol.first_cta_vector %opaque -> 3 x i32
  ptx.ret
}

// -----

ptx.kernel @dimension(%wide : i64) {
  %opaque = ptx.pack b128 {%wide, %wide}
  // CHECK: expected x, y or z as coordinate; found w
  %c = ptx.clusterlaunchcontrol.first_cta w %opaque
  ptx.ret
}
