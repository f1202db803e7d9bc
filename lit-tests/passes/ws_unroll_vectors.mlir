// RUN: tcgen05-opt %s -p ws-unroll-vectors | filecheck %s
// RUN: tcgen05-opt %s -p ws-unroll-vectors | tcgen05-opt

!tile = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
ptx.kernel @k(%n : i32) {
  %rows = ws.ring 1 : !tile
  %cells = ws.ring 1 : !d
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  ws.warp_specialize {
    ws.role @write warps(4) threads(%t) {
      // CHECK: %first_lane = arith.muli
      %x = arith.constant dense<1.0> : vector<3xf32>
      ws.produce %cells by threads (%d) {
        // CHECK: [[PAIR:%[0-9]+]] = tcgen05.slice %d[%first_lane, 5] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x2xf32>
        // CHECK: [[LAST:%[0-9]+]] = tcgen05.slice %d[%first_lane, 7] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x1xf32>
        // CHECK: tcgen05.st shape_32x32b x2 [[PAIR]], (%{{.*}}, %{{.*}}) : !tcgen05.tmem<32x2xf32>
        // CHECK: tcgen05.st shape_32x32b x1 [[LAST]], (%{{.*}}) : !tcgen05.tmem<32x1xf32>
        ws.tmem_store %x to %d[5]
      }
    }
    ws.role @read warps(4) threads(%t) {
      // A vector that a loop carries becomes several values.
      // CHECK: [[V:%[0-9]+]], [[W:%[0-9]+]] = ws.consume %cells by threads (%d{{.*}}) -> f32, f32 {
      %v = ws.consume %cells by threads (%d) -> vector<2xf32> {
        // CHECK: [[LOADED:%[0-9]+]], [[SECOND:%[0-9]+]] = tcgen05.ld shape_32x32b x2
        // CHECK-NEXT: tcgen05.wait ld
        // CHECK-NEXT: ws.yield [[LOADED]], [[SECOND]]
        %row = ws.tmem_load %d[0] -> vector<2xf32>
        ws.yield %row
      }
      // CHECK: scf.for {{.*}} iter_args(%{{.*}} = [[V]], %{{.*}} = [[W]]) -> (f32, f32) : i32 {
      // CHECK: ptx.add rn f32x2
      // CHECK-NEXT: ptx.unpack b64
      // CHECK-NEXT: scf.yield %{{.*}}, %{{.*}} : f32, f32
      %sum = scf.for %i = %zero to %n step %one iter_args(%s = %v) -> (vector<2xf32>) : i32 {
        %more = arith.addf %s, %v : vector<2xf32>
        scf.yield %more : vector<2xf32>
      }
      // Stores of 16 bytes go to swizzled addresses.
      // CHECK: ptx.cvt.pack rn bf16x2 f32
      // CHECK: %{{.*}} = ws.address %tile
      // CHECK: arith.xori
      // CHECK: ptx.st "shared::cta" b32 [%{{.*}}], {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}}
      %number = arith.sitofp %t : i32 to f32
      %float = vector.broadcast %number : f32 to vector<8xf32>
      %h = arith.truncf %float : vector<8xf32> to vector<8xbf16>
      ws.produce %rows by threads (%tile) {
        ws.local_store %h to %tile[%t, 8]
      }
    }
    ws.role @again warps(2) threads(%t) {
      ws.consume %rows by threads (%tile) {
        %h = ws.local_load %tile[%t, 8] -> vector<8xbf16>
      }
    }
  }
  ptx.ret
}

// Equal elements of a constant are one value; -0.0 and 0.0 are not equal.
// CHECK-LABEL: ptx.kernel @constants
// CHECK: [[HALF:%[0-9]+]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: [[PLUS:%[0-9]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: [[MINUS:%[0-9]+]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT: arith.maxnumf [[HALF]], [[PLUS]] : f32
// CHECK-NEXT: arith.maxnumf [[HALF]], [[MINUS]] : f32
ptx.kernel @constants() {
  ws.warp_specialize {
    ws.role @compute warps(1) {
      %half = arith.constant dense<0.5> : vector<2xf32>
      %zeros = arith.constant dense<[0.0, -0.0]> : vector<2xf32>
      %larger = arith.maxnumf %half, %zeros : vector<2xf32>
    }
  }
  ptx.ret
}

// A store rounds its elements: two at a time in rows that fit, and else each one that is inside.
// CHECK-LABEL: ptx.kernel @rounded
ptx.kernel @rounded(%p : i64, %rows : i32, %columns : i32, %x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      // CHECK-NOT: arith.truncf
      // CHECK: scf.if
      // CHECK-COUNT-4: ptx.cvt.pack rn bf16x2 f32
      // CHECK: } else {
      // CHECK-NEXT: [[LEFT:%[0-9]+]] = arith.subi %columns, %t : i32
      // CHECK-NEXT: [[COUNT:%[0-9]+]] = arith.select %{{[0-9]+}}, [[LEFT]], %{{[0-9]+}} : i32
      // CHECK-NEXT: [[INSIDE:%[0-9]+]] = arith.cmpi slt, %{{[0-9]+}}, [[COUNT]] : i32
      // CHECK-NEXT: [[ROUNDED:%[0-9]+]] = arith.truncf %x : f32 to bf16
      // CHECK-NEXT: ptx.guard [[INSIDE]] {
      // CHECK-NEXT: ptx.st global b16 [%{{[0-9]+}}], {[[ROUNDED]]}
      %v = vector.broadcast %x : f32 to vector<8xf32>
      %h = arith.truncf %v : vector<8xf32> to vector<8xbf16>
      ws.global_store %h to %p[%t, %t] of (%rows, %columns)
    }
  }
  ptx.ret
}
