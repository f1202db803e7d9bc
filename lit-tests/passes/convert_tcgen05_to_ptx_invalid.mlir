// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// What becomes known by folding is checked when it is lowered.

ptx.kernel @columns(%slot : i32) {
  %c33 = arith.constant 33 : i32
  %c66 = arith.addi %c33, %c33 : i32
  // CHECK: tcgen05.alloc: {{.*}}nCols: found 66; legal: 32, 64, 128, 256, 512 [T5-ALLOC-001]
  tcgen05.alloc %slot, %c66
  ptx.ret
}

// -----

ptx.kernel @slice(%slot : i32) {
  %c100 = arith.constant 100 : i32
  %lane = arith.addi %c100, %c100 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: tcgen05.slice: {{.*}}lane (bits 16-31): found 200; legal: 0, 1, ... 127 [T5-TMEM-001]
  %e = tcgen05.slice %d[%lane, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x64xf32>
  tcgen05.shift %e : !tcgen05.tmem<32x64xf32>
  ptx.ret
}

// -----

ptx.kernel @descriptor(%slot : i32) {
  %c64 = arith.constant 64 : i32
  %address = arith.addi %c64, %c64 : i32
  // CHECK: tcgen05.descriptor: matrix base offset: found 0; legal: 1 [T5-DESC-005]
  %a = tcgen05.descriptor %address : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
  ptx.ret
}
