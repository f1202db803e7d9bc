// RUN: tcgen05-opt %s -p ws-unroll-vectors --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @k(%x : f32, %n : i32) {
  %i = arith.index_cast %n : i32 to index
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      // CHECK: error[T5-PTX-104]: vector.extract: the operation has no lowering to PTX here; expected a constant position
      %y = vector.extract %v[%i] : f32 from vector<2xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%n : i32) {
  %x = arith.trunci %n : i32 to i8
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : i8 to vector<4xi8>
      // CHECK: error[T5-PTX-104]: vector.broadcast: the operation has no lowering to PTX here; expected elements of 16 bits or more: convert elements of 8 or 4 bits
      %y = vector.bitcast %v : vector<4xi8> to vector<1xi32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      // CHECK: error[T5-PTX-104]: vector.broadcast: the operation has no lowering to PTX here; expected a number, or a vector of the same length
      %y = vector.broadcast %v : vector<2xf32> to vector<4xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      // CHECK: error[T5-PTX-104]: vector.shuffle: the operation has no lowering to PTX here; expected operations of arith, math, vector and ws on vectors
      %y = vector.shuffle %v, %v [0, 2] : vector<2xf32>, vector<2xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      // CHECK: error[T5-PTX-104]: vector.extract: the operation has no lowering to PTX here; expected a position within 0 to 1
      %y = vector.extract %v[2] : f32 from vector<2xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      // CHECK: error[T5-PTX-104]: vector.insert: the operation has no lowering to PTX here; expected a position within 0 to 1
      %y = vector.insert %x, %v[7] : f32 into vector<2xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      // CHECK: error[T5-PTX-104]: arith.truncf: the operation has no lowering to PTX here; expected packed elements that fill registers of 32 bits, or are only stored
      %narrow = arith.truncf %v : vector<2xf32> to vector<2xf8E4M3FN>
      %wide = arith.extf %narrow : vector<2xf8E4M3FN> to vector<2xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      %c = "arith.cmpf"(%v, %v) <{predicate = 2 : i64}> : (vector<2xf32>, vector<2xf32>) -> i1
      // CHECK: error[T5-PTX-104]: scf.if: the operation has no lowering to PTX here; expected one truth, such as a vector.reduction <or> of the vector
      scf.if %c { }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      %c = arith.cmpf ogt, %v, %v : vector<2xf32>
      // CHECK: %c has type vector<2xi1>, but is used here with type i1
      scf.if %c { }
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<2xf32>
      %w = vector.broadcast %x : f32 to vector<4xf32>
      %c = arith.cmpf ogt, %v, %v : vector<2xf32>
      // CHECK: arith.select: operand 'cond' at position 0 does not verify
      %y = arith.select %c, %w, %w : vector<2xi1>, vector<4xf32>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<32xf32>
      // CHECK: error[T5-PTX-104]: arith.truncf: the numbers of elements of its vectors must be the same; found 32 and 16
      // CHECK: help: give each operand and result 32 elements
      %y = arith.truncf %v : vector<32xf32> to vector<16xbf16>
    }
  }
  ptx.ret
}

// -----

ptx.kernel @k(%x : f32) {
  ws.warp_specialize {
    ws.role @compute warps(1) threads(%t) {
      %v = vector.broadcast %x : f32 to vector<8xf32>
      // CHECK: error[T5-PTX-104]: arith.truncf: the numbers of elements of its vectors must be the same; found 8 and 4
      %y = arith.truncf %v : vector<8xf32> to vector<4xf8E4M3FN>
    }
  }
  ptx.ret
}
