// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.kernel @slices(%slot : i32, %lane : i32, %column : i32) {
  // PTX: ld.shared::cta.b32 %r[[D:[0-9]+]], [%r1];
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x256xf32>
  // The address of the lane stands in the high half of the offset: 64 * 65536 + 8 = 4194312.
  // CHECK: %known = tcgen05.slice %d[64, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  // GENERIC: %known = "tcgen05.slice"(%d) <{static_offsets = array<i64: 64, 8>}> : (!tcgen05.tmem<128x256xf32>) -> !tcgen05.tmem<32x2xf32>
  // PTX: tcgen05.ld.sync.aligned.32x32b.x2.b32 {{{%r[0-9]+, %r[0-9]+}}}, [%r[[D]]+4194312];
  %known = tcgen05.slice %d[64, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %known : !tcgen05.tmem<32x2xf32>
  // CHECK: %row = tcgen05.slice %d[%lane, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x4xf32>
  // GENERIC: %row = "tcgen05.slice"(%d, %lane) <{static_offsets = array<i64: -9223372036854775808, 8>}> : (!tcgen05.tmem<128x256xf32>, i32) -> !tcgen05.tmem<32x4xf32>
  // PTX: shl.b32 %r[[L:[0-9]+]], %r2, 16;
  // PTX: add.s32 %r[[ROW:[0-9]+]], %r[[D]], %r[[L]];
  %row = tcgen05.slice %d[%lane, 8] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<32x4xf32>
  // CHECK: %cell = tcgen05.slice %row[0, %column] : !tcgen05.tmem<32x4xf32> to !tcgen05.tmem<32x2xf32>
  // PTX: add.s32 %r[[CELL:[0-9]+]], %r[[EIGHT:[0-9]+]], %r3;
  %cell = tcgen05.slice %row[0, %column] : !tcgen05.tmem<32x4xf32> to !tcgen05.tmem<32x2xf32>
  %w:2 = tcgen05.ld shape_32x32b x2 %cell : !tcgen05.tmem<32x2xf32>
  // Slices of slices with known offsets come out as one offset.
  // CHECK: tcgen05.slice %d[0, 16]
  // CHECK: tcgen05.slice %inner[32, 16]
  // PTX: tcgen05.ld.sync.aligned.32x32b.x2.b32 {{{%r[0-9]+, %r[0-9]+}}}, [%r[[D]]+2097184];
  %inner = tcgen05.slice %d[0, 16] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<128x32xf32>
  %innermost = tcgen05.slice %inner[32, 16] : !tcgen05.tmem<128x32xf32> to !tcgen05.tmem<32x2xf32>
  %x:2 = tcgen05.ld shape_32x32b x2 %innermost : !tcgen05.tmem<32x2xf32>
  // What lies there may be read as something else: f32 accumulators as A of bf16.
  // CHECK: tcgen05.slice %d[0, 128] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<128x256xbf16, a>
  %p = tcgen05.slice %d[0, 128] : !tcgen05.tmem<128x256xf32> to !tcgen05.tmem<128x256xbf16, a>
  ptx.ret
}
