// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_210(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  // CHECK: error[T5-PTX-210]: ptx.cp.async.bulk.tensor.im2col: coordinates 4 needs offsets 2; found 1
  ptx.cp.async.bulk.tensor.im2col im2col [%s], %map, {%x, %x, %x, %x}, [%b], {%o}
  ptx.ret
}

// -----

ptx.kernel @ptx_210_1(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  // CHECK: error[T5-PTX-210]: ptx.cp.async.bulk.tensor.im2col: offsets 1 needs coordinates 3; found 2
  ptx.cp.async.bulk.tensor.im2col im2col [%s], %map, {%x, %x}, [%b], {%o}
  ptx.ret
}

// -----

ptx.kernel @ptx_210_2(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  // CHECK: error[T5-PTX-210]: ptx.cp.async.bulk.prefetch.tensor.im2col: mode im2col::w needs offsets 2; found 1
  ptx.cp.async.bulk.prefetch.tensor.im2col "im2col::w" %map, {%x, %x, %x}, {%o}
  ptx.ret
}

// -----

ptx.kernel @ptx_211(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  // CHECK: error[T5-PTX-211]: ptx.cp.async.bulk.tensor.im2col_no_offs: number of coordinates of a store in im2col mode must be 3, 4 or 5; found 2
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @ptx_211_4(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %o : i16) {
  // CHECK: error[T5-PTX-211]: ptx.cp.reduce.async.bulk.tensor.im2col_no_offs: number of coordinates of a store in im2col mode must be 3, 4 or 5; found 2
  ptx.cp.reduce.async.bulk.tensor.im2col_no_offs add %map, {%x, %x}, [%s]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 1024 alignment 64
ptx.kernel @ptx_052(%map : !ptx.tensor_map, %b : i32, %x : i32) {
  %tile = ptx.address_of @tile
  // CHECK: error[T5-PTX-052]: ptx.cp.async.bulk.tensor.im2col_no_offs: tile of a tensor copy must be aligned to 128 bytes; found 0 bytes into @tile, which is aligned to 64
  ptx.cp.async.bulk.tensor.im2col_no_offs %map, {%x, %x, %x}, [%tile]
  ptx.ret
}
