// RUN: tcgen05 check --strict %s

// Right kernels: their blocks alone do not show how many bytes a phase expects.

!a_map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!b_map = !ptx.tensor_map<256x64xbf16, swizzle_128b>

ptx.shared_memory @a alignment 1024
ptx.shared_memory @loaded size 32 alignment 8

// Another block copies the rest.
ptx.kernel @two_blocks(%a_map : !a_map, %b_map : !b_map, %x : i32, %p : i32) {
  %c0 = arith.constant 0 : i32
  %a = ptx.address_of @a
  %b = ptx.address_of @a + 16384
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 49152 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  %is_first = arith.cmpi eq, %p, %c0 : i32
  scf.if %is_first {
    ptx.cp.async.bulk.tensor.load [%b], %b_map, {%x, %x}, [%loaded]
  } else {
    ptx.cp.async.bulk.tensor.load [%b], %b_map, {%x, %p}, [%loaded]
  }
  ptx.ret
}

// Another block expects the rest.
ptx.kernel @two_announcements(%a_map : !a_map, %b_map : !b_map, %x : i32, %p : i32) {
  %c0 = arith.constant 0 : i32
  %a = ptx.address_of @a
  %b = ptx.address_of @a + 16384
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 16384 : i32
  %rest = arith.constant 32768 : i32
  ptx.mbarrier.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%b], %b_map, {%x, %x}, [%loaded]
  %is_first = arith.cmpi eq, %p, %c0 : i32
  ptx.guard %is_first {
    ptx.mbarrier.arrive.expect_tx [%loaded], %rest
  }
  ptx.ret
}

// The announcement of a pair counts the bytes of both CTAs.
ptx.kernel @pair(%a_map : !a_map, %x : i32) attributes {cluster_dims = array<i32: 2>} {
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 32768 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load "cta_group::2" [%a], %a_map, {%x, %x}, [%loaded]
  ptx.ret
}

// Each CTA copies a part for both.
ptx.kernel @multicast(%a_map : !a_map, %x : i32) attributes {cluster_dims = array<i32: 2>} {
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %both = arith.constant 3 : i16
  %bytes = arith.constant 32768 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load multicast_mask(%both) [%a], %a_map, {%x, %x}, [%loaded]
  ptx.ret
}

// The barrier object may be the one of another copy.
ptx.kernel @unknown(%a_map : !a_map, %x : i32, %other : i32) {
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 32768 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%a + 16384], %a_map, {%x, %x}, [%other]
  ptx.ret
}

// A map without a box, and bytes that are not constant.
ptx.kernel @unknown_bytes(%a_map : !a_map, %map : !ptx.tensor_map, %x : i32, %bytes : i32) {
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %some = arith.constant 32768 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %some
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%a + 16384], %map, {%x, %x}, [%loaded]
  ptx.mbarrier.arrive.expect_tx [%loaded + 8], %bytes
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded + 8]
  ptx.ret
}

// One barrier object is short of the bytes that the other has too many of: the second block, which
// computes its barrier, may mean either.
ptx.kernel @two_barriers(%a_map : !a_map, %x : i32, %stage : i32) {
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %two = arith.constant 32768 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %two
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  %barrier = arith.addi %loaded, %stage : i32
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%barrier]
  ptx.ret
}

// The copies of the warps 0 and 1 meet in one phase.
ptx.kernel @no_announcement(%a_map : !a_map, %x : i32) {
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.ret
}
