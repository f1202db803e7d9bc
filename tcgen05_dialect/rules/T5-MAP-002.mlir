!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @example(%map : !map, %x : i32, %y : i32) {
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  // Half of 128 x 64 elements of 2 bytes.
  %bytes = arith.constant 8192 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%loaded]
  ptx.ret
}

// -----

!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
ptx.shared_memory @tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @example(%map : !map, %x : i32, %y : i32) {
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 16384 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %y}, [%loaded]
  ptx.ret
}
