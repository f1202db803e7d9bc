// A thread writes to global memory, and brings it to shared memory by TMA.
//
// argument a: u32 4
// argument middle: u32 1x4
// argument middle: u32 1x4, box 4x1 no_swizzle
// argument out: u32 4
// result middle: a[None]
// result out: a

ptx.shared_memory @tile size 16 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @tma_load_of_stored(%a : i64, %middle : i64, %map : !ptx.tensor_map<1x4xu32>, %out : i64)
    attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %bytes = ptx.constant 16 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.fence.proxy.async "shared::cta"
  %v:4 = ptx.ld global b32 [%a] -> 4 x i32
  ptx.st global b32 [%middle], {%v#0, %v#1, %v#2, %v#3}
  // step: proxy fence of the right state space [T5-SIM-015] -> ptx.fence.proxy.async "shared::cta"
  ptx.fence.proxy.async global // step: proxy fence before the copy [T5-SIM-015]
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0 // step: wait for the copy [T5-SIM-014]
  %w:4 = ptx.ld "shared::cta" b32 [%tile] -> 4 x i32
  ptx.st global b32 [%out], {%w#0, %w#1, %w#2, %w#3}
  ptx.ret
}
