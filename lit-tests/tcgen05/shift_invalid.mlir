// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @columns(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<128x4xf32>
  // CHECK: error[T5-TMEM-004]: tcgen05.shift: accessed region must be at least 8 columns; found 4 columns
  tcgen05.shift %s : !tcgen05.tmem<128x4xf32>
  ptx.ret
}

// -----

ptx.kernel @lane(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %s = tcgen05.slice %d[16, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<64x8xf32>
  // CHECK: error[T5-SHIFT-001]: tcgen05.shift: lane must be 0, 32, 64 or 96; found 16
  tcgen05.shift %s : !tcgen05.tmem<64x8xf32>
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.kernel @target(%slot : i32) {
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
    // CHECK: error[T5-TARGET-012]: tcgen05.shift: target for tcgen05.shift must be sm_100a, sm_101a, sm_103a or sm_110a; found sm_100f
    tcgen05.shift %d : !tcgen05.tmem<128x64xf32>
    ptx.ret
  }
}

// -----

ptx.kernel @group(%slot : i32) {
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-CTA_GROUP-001]: tcgen05.shift: cta_group must be 1 or 2; found 0
  tcgen05.shift %d {cta_group = 0 : i32} : !tcgen05.tmem<128x64xf32>
  ptx.ret
}
