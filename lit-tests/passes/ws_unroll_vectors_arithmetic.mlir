// RUN: tcgen05-opt %s -p ws-unroll-vectors | filecheck %s
// RUN: tcgen05-opt %s -p ws-unroll-vectors | tcgen05-opt

// Two f32 at a time; a packed value is used again, and an odd element is alone.
// CHECK-LABEL: ptx.kernel @packed
ptx.kernel @packed(%p : i64, %m : i32, %x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      // CHECK: [[V:%[0-9]+]] = ptx.guard
      %v = ws.global_load %p[%t, 0] of (%m, %m) -> vector<3xf32>
      %b = vector.broadcast %x : f32 to vector<3xf32>
      // CHECK: [[A:%[0-9]+]] = ptx.pack b64 {[[V]], %{{[0-9]+}}}
      // CHECK-NEXT: [[B:%[0-9]+]] = ptx.pack b64 {%x, %x}
      // CHECK-NEXT: [[PRODUCT:%[0-9]+]] = ptx.mul rn f32x2 [[A]], [[B]]
      // CHECK-NEXT: %{{[0-9]+}}, %{{[0-9]+}} = ptx.unpack b64 [[PRODUCT]] -> 2 x f32
      // CHECK-NEXT: [[LAST:%[0-9]+]] = arith.mulf %{{[0-9]+}}, %x : f32
      %w = arith.mulf %v, %b : vector<3xf32>
      // CHECK-NEXT: ptx.fma rn f32x2 [[PRODUCT]], [[B]], [[A]]
      // CHECK: math.fma [[LAST]], %x, %{{[0-9]+}} : f32
      %y = math.fma %w, %b, %v : vector<3xf32>
      ws.global_store %y to %p[%t, 0] of (%m, %m)
    }
  }
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @reductions
ptx.kernel @reductions(%p : i64, %m : i32, %x : f32, %n : i32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<19xf32>
      // Eight chains, which are combined at the end; then the rest and the accumulator.
      // CHECK-COUNT-8: arith.maxnumf %x, %x : f32
      // CHECK: arith.maxnumf
      // CHECK: %max = arith.maxnumf %{{[0-9]+}}, %x : f32
      %max = vector.reduction <maxnumf>, %v, %x : vector<19xf32> into f32
      // Without reassoc the order is that of the elements.
      // CHECK: [[S:%[0-9]+]] = arith.addf %x, %x : f32
      // CHECK-NEXT: %ordered = arith.addf [[S]], %x : f32
      %short = vector.broadcast %x : f32 to vector<3xf32>
      %ordered = vector.reduction <add>, %short : vector<3xf32> into f32
      // CHECK: ptx.add rn f32x2
      // CHECK: ptx.add rn f32x2
      %sum = vector.reduction <add>, %v fastmath<reassoc> : vector<19xf32> into f32
      // CHECK: arith.ori %n, %n : i32
      %integers = vector.broadcast %n : i32 to vector<2xi32>
      %bits = vector.reduction <or>, %integers : vector<2xi32> into i32
      // CHECK: arith.addi %n, %n : i32
      %total = vector.reduction <add>, %integers : vector<2xi32> into i32
    }
  }
  ptx.ret
}

// CHECK-LABEL: ptx.kernel @elements
ptx.kernel @elements(%p : i64, %m : i32, %x : f32, %y : f32, %n : i32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      %w = vector.insert %y, %v[1] : f32 into vector<2xf32>
      %z = vector.extract %w[1] : f32 from vector<2xf32>
      // CHECK: arith.negf %y : f32
      %negative = arith.negf %z : f32
      // CHECK: arith.bitcast %x : f32 to i32
      // CHECK-NEXT: arith.bitcast %y : f32 to i32
      %bits = vector.bitcast %w : vector<2xf32> to vector<2xi32>
      // CHECK: [[LOW:%[0-9]+]], [[HIGH:%[0-9]+]] = ptx.unpack b32 %x -> 2 x bf16
      // CHECK-NEXT: ptx.unpack b32 %y -> 2 x bf16
      %halves = vector.bitcast %w : vector<2xf32> to vector<4xbf16>
      // CHECK: ptx.pack b32 {[[LOW]], [[HIGH]]}
      %words = vector.bitcast %halves : vector<4xbf16> to vector<2xi32>
      // CHECK: [[IS_FIRST:%[0-9]+]] = arith.cmpi slt, %{{[0-9]+}}, %n : i32
      // CHECK-NEXT: arith.select [[IS_FIRST]], %x, %y : f32
      // CHECK-NEXT: [[IS_SECOND:%[0-9]+]] = arith.cmpi slt, %{{[0-9]+}}, %n : i32
      // CHECK-NEXT: arith.select [[IS_SECOND]], %y, %y : f32
      %kept = ws.keep_first %n of %w else %y
    }
  }
  ptx.ret
}

// Roles compute what they need of the vectors before them.
// CHECK-LABEL: ptx.kernel @before
ptx.kernel @before(%p : i64, %m : i32, %x : f32) {
  // CHECK-NEXT: ws.warp_specialize {
  %v = vector.broadcast %x : f32 to vector<2xf32>
  %e = vector.extract %v[1] : f32 from vector<2xf32>
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      // CHECK: arith.negf %x : f32
      %negative = arith.negf %e : f32
    }
  }
  ptx.ret
}
