// A warp writes a tile, which one thread copies out by TMA; then the tile is written again.
//
// argument a: u32 32
// argument first: u32 1x32, box 32x1 no_swizzle
// argument second: u32 1x32, box 32x1 no_swizzle
// result first: a[None]
// result second: a[None] + 1

ptx.shared_memory @tile size 128 alignment 128

ptx.kernel @tma_store(
    %a : i64, %first : !ptx.tensor_map<1x32xu32>, %second : !ptx.tensor_map<1x32xu32>
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %all_lanes = ptx.constant -1 : i32
  %tile = ptx.address_of @tile
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %offset = ptx.shl b32 %lane, %c2
  %to = ptx.add s32 %tile, %offset
  %v = ptx.ld global b32 [%from] -> i32
  %w = ptx.add s32 %v, %c1
  ptx.st "shared::cta" b32 [%to], {%v}
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the first copy [T5-SIM-015]
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the first copy [T5-SIM-014]
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.cp.async.bulk.tensor.store %first, {%c0, %c0}, [%tile]
    ptx.cp.async.bulk.commit_group // step: commit_group [T5-SIM-014]
    // step: pending groups of the wait, one too many [T5-SIM-014] -> ptx.cp.async.bulk.wait_group read 1
    ptx.cp.async.bulk.wait_group read 0 // step: wait_group before the tile is written again [T5-SIM-014]
  }
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the tile is written again [T5-SIM-014]
  ptx.st "shared::cta" b32 [%to], {%w}
  ptx.fence.proxy.async // step: proxy fence before the second copy [T5-SIM-015]
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the second copy [T5-SIM-014]
  scf.if %elected {
    ptx.cp.async.bulk.tensor.store %second, {%c0, %c0}, [%tile]
    ptx.cp.async.bulk.commit_group // step: last commit_group [T5-SIM-018]
    ptx.cp.async.bulk.wait_group read 0 // step: wait_group before the CTA ends [T5-SIM-018]
  }
  ptx.ret
}
