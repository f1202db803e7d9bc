// T5-MAP-002
// section: 9.7.13.15.5
// subject: bytes that a barrier object expects
// statement: If one basic block announces and starts all copies of a phase, the barrier object
//     expects the bytes of the boxes of these copies.
// why: With fewer bytes the phase may end before the tiles have arrived; with more it never ends.
// fix: expect the bytes of all boxes, including their parts outside the tensor

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
