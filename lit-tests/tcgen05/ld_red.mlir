// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --check-prefix PTX
// RUN: %ptxas --gpu-name sm_103a -o %t.cubin %t.ptx

builtin.module attributes {ptx.target = #ptx.target<"sm_103a", "8.8">} {
  ptx.kernel @reductions(%slot : i32) {
    %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
    %rows = tcgen05.slice %d[32, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x2xf32>
    // CHECK: %v, %v_1, %max = tcgen05.ld.red shape_32x32b x2 max %rows : !tcgen05.tmem<32x2xf32>
    // GENERIC: %v, %v_1, %max = "tcgen05.ld.red"(%rows) <{shape = "shape_32x32b", num = "x2", op = "max"}> : (!tcgen05.tmem<32x2xf32>) -> (f32, f32, f32)
    // PTX: tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, %r[[MAX:[0-9]+]], [%r[[D:[0-9]+]]+2097152];
    %v:2, %max = tcgen05.ld.red shape_32x32b x2 max %rows : !tcgen05.tmem<32x2xf32>
    // CHECK: tcgen05.ld.red shape_32x32b x2 min abs nan %rows : !tcgen05.tmem<32x2xf32>
    // GENERIC: op = "min", abs, nan}>
    // PTX: tcgen05.ld.red.sync.aligned.32x32b.x2.min.abs.NaN.f32
    %w:2, %min = tcgen05.ld.red shape_32x32b x2 min abs nan %rows : !tcgen05.tmem<32x2xf32>
    %halves = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<16x18xi32>
    // CHECK: tcgen05.ld.red shape_16x32bx2 x2 max %halves split 16 : !tcgen05.tmem<16x18xi32>
    // PTX: tcgen05.ld.red.sync.aligned.16x32bx2.x2.max.s32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, %r{{[0-9]+}}, [%r[[D]]], 16;
    %x:2, %signed = tcgen05.ld.red shape_16x32bx2 x2 max %halves split 16 : !tcgen05.tmem<16x18xi32>
    // CHECK: tcgen05.ld.red shape_16x32bx2 x2 min unsigned %halves split 16 : !tcgen05.tmem<16x18xi32>
    // PTX: tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.u32
    %y:2, %unsigned = tcgen05.ld.red shape_16x32bx2 x2 min unsigned %halves split 16 : !tcgen05.tmem<16x18xi32>
    ptx.ret
  }
}
