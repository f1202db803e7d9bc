// RUN: tcgen05-opt %s -p ws-unroll-vectors | filecheck %s
// RUN: tcgen05-opt %s --print-op-generic | tcgen05-opt - -p ws-unroll-vectors | filecheck %s
// RUN: tcgen05-opt %s | tcgen05-opt - -p ws-unroll-vectors | filecheck %s

// CHECK-LABEL: ptx.kernel @truths
ptx.kernel @truths(%p : i64, %x : f32, %y : f32, %n : i32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      %w = vector.broadcast %y : f32 to vector<2xf32>
      // CHECK: [[A:%[0-9]+]] = arith.cmpf ogt, %x, %y : f32
      // CHECK-NEXT: [[B:%[0-9]+]] = arith.cmpf ogt, %x, %y : f32
      %c = arith.cmpf ogt, %v, %w : vector<2xf32>
      // CHECK-NEXT: [[C:%[0-9]+]] = arith.select [[A]], %x, %y : f32
      // CHECK-NEXT: [[D:%[0-9]+]] = arith.select [[B]], %x, %y : f32
      %larger = arith.select %c, %v, %w : vector<2xi1>, vector<2xf32>
      // CHECK-NEXT: arith.select [[A]], %y, %x : f32
      // CHECK-NEXT: arith.select [[B]], %y, %x : f32
      %smaller = arith.select %c, %w, %v : vector<2xf32>
      // CHECK-NEXT: [[ONE:%one]] = arith.cmpf une, %x, %y : f32
      %one = arith.cmpf une, %x, %y : f32
      // CHECK-NEXT: arith.select [[ONE]], [[C]], %x : f32
      // CHECK-NEXT: arith.select [[ONE]], [[D]], %x : f32
      %chosen = arith.select %one, %larger, %v : vector<2xf32>
      // CHECK-NEXT: [[I:%[0-9]+]] = arith.extui [[A]] : i1 to i32
      // CHECK-NEXT: [[J:%[0-9]+]] = arith.extui [[B]] : i1 to i32
      %i = arith.extui %c : vector<2xi1> to vector<2xi32>
      // CHECK-NEXT: arith.sitofp [[I]] : i32 to f32
      // CHECK-NEXT: arith.sitofp [[J]] : i32 to f32
      %f = arith.sitofp %i : vector<2xi32> to vector<2xf32>
      // CHECK: arith.cmpi slt, [[I]], %n : i32
      // CHECK-NEXT: arith.cmpi slt, [[J]], %n : i32
      %m = vector.broadcast %n : i32 to vector<2xi32>
      %less = arith.cmpi slt, %i, %m : vector<2xi32>
    }
  }
  ptx.ret
}
