// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @one_register(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x1xf32>
  // CHECK: error[T5-LDST-001]: tcgen05.ld.red: num must be x2, x4, x8, x16, x32, x64 or x128; found x1
  %v:2 = tcgen05.ld.red shape_32x32b x1 max %s : !tcgen05.tmem<32x1xf32>
  ptx.ret
}

// -----

ptx.kernel @shape(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<16x4xf32>
  // CHECK: error[T5-LDST-001]: tcgen05.ld.red: shape must be shape_16x32bx2 or shape_32x32b; found shape_16x64b
  %v:3 = tcgen05.ld.red shape_16x64b x2 max %s : !tcgen05.tmem<16x4xf32>
  ptx.ret
}

// -----

ptx.kernel @absolute_integers(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xi32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xi32> to !tcgen05.tmem<32x2xi32>
  // CHECK: error[T5-LDST-004]: tcgen05.ld.red: type s32 takes no abs
  %v:3 = tcgen05.ld.red shape_32x32b x2 max abs %s : !tcgen05.tmem<32x2xi32>
  ptx.ret
}

// -----

ptx.kernel @halves(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf16>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf16> to !tcgen05.tmem<32x2xf16>
  // CHECK: error[T5-LDST-004]: tcgen05.ld.red: type must be f32, s32 or u32; found f16
  %v:3 = tcgen05.ld.red shape_32x32b x2 max %s : !tcgen05.tmem<32x2xf16>
  ptx.ret
}

// -----

ptx.kernel @unsigned_floats(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x2xf32>
  // CHECK: error[T5-LDST-004]: tcgen05.ld.red: type of an unsigned reduction must be an integer type; found f32
  %v:3 = tcgen05.ld.red shape_32x32b x2 max unsigned %s : !tcgen05.tmem<32x2xf32>
  ptx.ret
}

// -----

ptx.kernel @role(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x2xtf32, a>
  // CHECK: error[T5-TMEM-005]: tcgen05.ld.red: role of a matrix in tensor memory must be accumulator; found a
  %v:3 = tcgen05.ld.red shape_32x32b x2 max %s : !tcgen05.tmem<32x2xtf32, a>
  ptx.ret
}

// -----

ptx.kernel @operation(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: expected max or min; found sum
  %v:3 = tcgen05.ld.red shape_32x32b x2 sum %d : !tcgen05.tmem<128x64xf32>
  ptx.ret
}

// -----

ptx.kernel @type_of_the_reduced_value(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x2xf32>
  // CHECK: error[T5-TYPE-004]: tcgen05.ld.red: type of a register must be f32; found i32
  %v, %w, %r = "tcgen05.ld.red"(%s) <{shape = "shape_32x32b", num = "x2", op = "max"}> : (!tcgen05.tmem<32x2xf32>) -> (f32, f32, i32)
  ptx.ret
}

// -----

ptx.kernel @region(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-TMEM-004]: tcgen05.ld.red: accessed region must be 32 lanes x 2 columns; found 128 lanes x 64 columns
  %v:3 = tcgen05.ld.red shape_32x32b x2 max %d : !tcgen05.tmem<128x64xf32>
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.8">} {
  ptx.kernel @target(%slot : i32) {
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
    %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x2xf32>
    // CHECK: error[T5-TARGET-013]: tcgen05.ld.red: target for tcgen05.ld.red must be sm_101a, sm_101f, sm_103a, sm_103f, sm_110a or sm_110f; found sm_100a
    %v:3 = tcgen05.ld.red shape_32x32b x2 max %s : !tcgen05.tmem<32x2xf32>
    ptx.ret
  }
}
