// A thread copies a tile to global memory by TMA, and reads it there.
//
// argument a: u32 4
// argument middle: u32 1x4, box 4x1 no_swizzle
// argument middle: u32 1x4
// argument out: u32 4
// result middle: a[None]
// result out: a

ptx.shared_memory @tile size 16 alignment 128

ptx.kernel @tma_store_read(%a : i64, %map : !ptx.tensor_map<1x4xu32>, %middle : i64, %out : i64)
    attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %tile = ptx.address_of @tile
  %v:4 = ptx.ld global b32 [%a] -> 4 x i32
  ptx.st "shared::cta" b32 [%tile], {%v#0, %v#1, %v#2, %v#3}
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
  ptx.cp.async.bulk.tensor.store %map, {%c0, %c0}, [%tile]
  ptx.cp.async.bulk.commit_group // step: commit_group [T5-SIM-014]
  // step: wait_group for more than reading [T5-SIM-014] -> ptx.cp.async.bulk.wait_group read 0
  ptx.cp.async.bulk.wait_group 0 // step: wait_group [T5-SIM-014]
  %w:4 = ptx.ld global b32 [%middle] -> 4 x i32
  ptx.st global b32 [%out], {%w#0, %w#1, %w#2, %w#3}
  ptx.ret
}
