// RUN: not tcgen05 check %s | filecheck %s

// Each kernel expects other bytes than its copies bring; transactions.mlir has right ones.

!a_map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!b_map = !ptx.tensor_map<256x64xbf16, swizzle_128b>

ptx.shared_memory @a alignment 1024
ptx.shared_memory @loaded size 32 alignment 8

ptx.kernel @too_many(%a_map : !a_map, %b_map : !b_map, %x : i32) {
  %a = ptx.address_of @a
  %b = ptx.address_of @a + 16384
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 65536 : i32
  // CHECK: error[T5-MAP-002]: ptx.mbarrier.arrive.expect_tx: the number of bytes that the barrier object expects must be 49152, the sum of 16384 and 32768; found 65536
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.cp.async.bulk.tensor.load [%b], %b_map, {%x, %x}, [%loaded]
  ptx.ret
}

// The same barrier object, computed twice; the announcement comes in two pieces.
ptx.kernel @too_few(%a_map : !a_map, %x : i32) {
  %c8 = arith.constant 8 : i32
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %second = ptx.address_of @loaded + 8
  %also_second = arith.addi %loaded, %c8 : i32
  %half = arith.constant 8192 : i32
  %rest = arith.constant 4096 : i32
  ptx.mbarrier.expect_tx [%second], %half
  // CHECK: error[T5-MAP-002]: ptx.mbarrier.arrive.expect_tx: the number of bytes that the barrier object expects must be 16384; found 12288
  ptx.mbarrier.arrive.expect_tx [%also_second], %rest
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded + 8]
  ptx.ret
}

// A stage of a ring, in a loop.
ptx.kernel @stages(%a_map : !a_map, %x : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 32768 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %stage = arith.remui %i, %c4 : i32
    %offset = arith.muli %stage, %c8 : i32
    %barrier = arith.addi %loaded, %offset : i32
    // CHECK: error[T5-MAP-002]: ptx.mbarrier.arrive.expect_tx: the number of bytes that the barrier object expects must be 16384; found 32768
    ptx.mbarrier.arrive.expect_tx [%barrier], %bytes
    ptx.cp.async.bulk.tensor.load [%a], %a_map, {%i, %x}, [%barrier]
  }
  ptx.ret
}

// Each phase of an object has its own copies.
ptx.kernel @phases(%a_map : !a_map, %x : i32) {
  %c0 = arith.constant 0 : i32
  %a = ptx.address_of @a
  %loaded = ptx.address_of @loaded
  %bytes = arith.constant 16384 : i32
  %half = arith.constant 8192 : i32
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  // CHECK: error[T5-MAP-002]: ptx.mbarrier.arrive.expect_tx: the number of bytes that the barrier object expects must be 16384; found 8192
  ptx.mbarrier.arrive.expect_tx [%loaded], %half
  ptx.cp.async.bulk.tensor.load [%a], %a_map, {%x, %x}, [%loaded]
  ptx.ret
}

// CHECK-NOT: {{(error|warning)\[}}
