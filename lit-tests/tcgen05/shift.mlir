// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @shift(%slot : i32, %first_lane : i32) {
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
    // CHECK: tcgen05.shift %d : !tcgen05.tmem<128x64xf32>
    // GENERIC: "tcgen05.shift"(%d) <{cta_group = 1 : i32}> : (!tcgen05.tmem<128x64xf32>) -> ()
    // PTX: tcgen05.shift.cta_group::1.down [%r[[D:[0-9]+]]];
    tcgen05.shift %d : !tcgen05.tmem<128x64xf32>
    // CHECK: tcgen05.shift %u : !tcgen05.tmem<64x8xf32>
    %u = tcgen05.slice %d[%first_lane, 16] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<64x8xf32>
    tcgen05.shift %u : !tcgen05.tmem<64x8xf32>
    ptx.ret
  }
  ptx.kernel @pair(%slot : i32) {
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
    // CHECK: tcgen05.shift cta_group_2 %s : !tcgen05.tmem<64x8xf32>
    // PTX: tcgen05.shift.cta_group::2.down [%r{{[0-9]+}}+2097168];
    %s = tcgen05.slice %d[32, 16] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<64x8xf32>
    tcgen05.shift cta_group_2 %s : !tcgen05.tmem<64x8xf32>
    ptx.ret
  }
}
