// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s
// RUN: tcgen05-opt %s -p tcgen05-lower-to-ptx -t ptx | filecheck %s --check-prefix PTX

ptx.kernel @ld_st(%slot : i32) {
  // PTX: ld.shared::cta.b32 %r[[D:[0-9]+]], [%r1];
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x512xf32>
  // CHECK: %v, %v_1 = tcgen05.ld shape_32x32b x2 %rows : !tcgen05.tmem<32x2xf32>
  // GENERIC: %v, %v_1 = "tcgen05.ld"(%rows) <{shape = "shape_32x32b", num = "x2"}> : (!tcgen05.tmem<32x2xf32>) -> (f32, f32)
  // PTX: tcgen05.ld.sync.aligned.32x32b.x2.b32 {[[V:%r[0-9]+, %r[0-9]+]]}, [%r[[D]]];
  %rows = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<32x2xf32>
  %v:2 = tcgen05.ld shape_32x32b x2 %rows : !tcgen05.tmem<32x2xf32>
  // CHECK: tcgen05.st shape_32x32b x2 %rows, (%v, %v_1) : !tcgen05.tmem<32x2xf32>
  // GENERIC: "tcgen05.st"(%rows, %v, %v_1) <{shape = "shape_32x32b", num = "x2"}> : (!tcgen05.tmem<32x2xf32>, f32, f32) -> ()
  // PTX: tcgen05.st.sync.aligned.32x32b.x2.b32 [%r[[D]]], {[[V]]};
  tcgen05.st shape_32x32b x2 %rows, (%v#0, %v#1) : !tcgen05.tmem<32x2xf32>

  // One register for each two lanes of a half-warp; registers of elements that are not f32 are i32.
  // CHECK: %a = tcgen05.ld shape_16x64b x1 %a_rows : !tcgen05.tmem<16x2xi32>
  // GENERIC: %a = "tcgen05.ld"(%a_rows) <{shape = "shape_16x64b", num = "x1"}> : (!tcgen05.tmem<16x2xi32>) -> i32
  // PTX: tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r[[A:[0-9]+]]}, [%r[[D]]+1048576];
  %a_rows = tcgen05.slice %d[16, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<16x2xi32>
  %a = tcgen05.ld shape_16x64b x1 %a_rows : !tcgen05.tmem<16x2xi32>
  // CHECK: %b, %b_1 = tcgen05.ld shape_16x128b x1 %b_rows : !tcgen05.tmem<16x4xf32>
  // PTX: tcgen05.ld.sync.aligned.16x128b.x1.b32
  %b_rows = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<16x4xf32>
  %b:2 = tcgen05.ld shape_16x128b x1 %b_rows : !tcgen05.tmem<16x4xf32>
  // CHECK: %c, %c_1, %c_2, %c_3 = tcgen05.ld shape_16x256b x1 %c_rows : !tcgen05.tmem<16x8xf32>
  // PTX: tcgen05.ld.sync.aligned.16x256b.x1.b32
  %c_rows = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<16x8xf32>
  %c:4 = tcgen05.ld shape_16x256b x1 %c_rows : !tcgen05.tmem<16x8xf32>
  // CHECK: tcgen05.st shape_16x256b x1 %c_rows, (%c, %c_1, %c_2, %c_3) : !tcgen05.tmem<16x8xf32>
  // PTX: tcgen05.st.sync.aligned.16x256b.x1.b32
  tcgen05.st shape_16x256b x1 %c_rows, (%c#0, %c#1, %c#2, %c#3) : !tcgen05.tmem<16x8xf32>

  // Two accesses, the second 16 columns behind the first.
  // CHECK: %e, %e_1 = tcgen05.ld shape_16x32bx2 x2 %e_rows split 16 : !tcgen05.tmem<16x18xf32>
  // GENERIC: %e, %e_1 = "tcgen05.ld"(%e_rows) <{shape = "shape_16x32bx2", num = "x2", split_offset = 16 : i32}>
  // PTX: tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {[[E:%r[0-9]+, %r[0-9]+]]}, [%r[[D]]+4], 16;
  %e_rows = tcgen05.slice %d[0, 4] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<16x18xf32>
  %e:2 = tcgen05.ld shape_16x32bx2 x2 %e_rows split 16 : !tcgen05.tmem<16x18xf32>
  // CHECK: tcgen05.st shape_16x32bx2 x2 %e_rows split 16, (%e, %e_1) : !tcgen05.tmem<16x18xf32>
  // PTX: tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%r[[D]]+4], 16, {[[E]]};
  tcgen05.st shape_16x32bx2 x2 %e_rows split 16, (%e#0, %e#1) : !tcgen05.tmem<16x18xf32>

  // Two elements of 16 bits in each register, and so twice the columns.
  // CHECK: %g = tcgen05.ld shape_32x32b x1 pack %g_rows : !tcgen05.tmem<32x2xf16>
  // GENERIC: %g = "tcgen05.ld"(%g_rows) <{shape = "shape_32x32b", num = "x1", pack}> : (!tcgen05.tmem<32x2xf16>) -> i32
  // PTX: tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%r[[G:[0-9]+]]}, [%r[[D]]];
  %g_rows = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<32x2xf16>
  %g = tcgen05.ld shape_32x32b x1 pack %g_rows : !tcgen05.tmem<32x2xf16>
  // CHECK: tcgen05.st shape_32x32b x1 unpack %g_rows, (%g) : !tcgen05.tmem<32x2xf16>
  // GENERIC: "tcgen05.st"(%g_rows, %g) <{shape = "shape_32x32b", num = "x1", unpack}>
  // PTX: tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%r[[D]]], {%r[[G]]};
  tcgen05.st shape_32x32b x1 unpack %g_rows, (%g) : !tcgen05.tmem<32x2xf16>

  // A of role `a` is packed in tensor memory as it is in the registers.
  // CHECK: tcgen05.st shape_32x32b x1 %h_rows, (%g) : !tcgen05.tmem<32x2xbf16, a>
  // PTX: tcgen05.st.sync.aligned.32x32b.x1.b32 [%r[[D]]], {%r[[G]]};
  %h_rows = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x512xf32> to !tcgen05.tmem<32x2xbf16, a>
  tcgen05.st shape_32x32b x1 %h_rows, (%g) : !tcgen05.tmem<32x2xbf16, a>

  // A constant among the elements of a vector takes a register.
  // PTX: mov.b32 %r[[ZERO:[0-9]+]], 0f00000000;
  // PTX: tcgen05.st.sync.aligned.32x32b.x2.b32 [%r[[D]]], {%r[[ZERO]], %r{{[0-9]+}}};
  %zero = arith.constant 0.0 : f32
  tcgen05.st shape_32x32b x2 %rows, (%zero, %zero) : !tcgen05.tmem<32x2xf32>
  ptx.ret
}
