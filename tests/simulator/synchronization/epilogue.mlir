// Two warps write a stage that one thread copies out by TMA, and again with the next numbers.
//
// argument a: u32 2x64
// argument out: u32 2x64, box 64x1 no_swizzle
// result out: a

ptx.shared_memory @stage size 256 alignment 128

ptx.kernel @epilogue(%a : i64, %map : !ptx.tensor_map<1x64xu32>)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %stage = ptx.address_of @stage
  %thread = ptx.special_register tid.x
  %mine = ptx.mad u32 %thread, %c4, %stage
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    %index = ptx.mad u32 %i, %c64, %thread
    %from = ptx.mad.wide u32 %index, %c4, %a
    %v = ptx.ld global b32 [%from] -> i32
    scf.if %is_first {
      // step: pending groups of the wait, one too many [T5-SIM-014] -> ptx.cp.async.bulk.wait_group read 1
      ptx.cp.async.bulk.wait_group read 0 // step: wait_group before the stage is written again [T5-SIM-014]
    }
    ptx.bar.sync %c0 // step: barrier before the stage is written again [T5-SIM-014]
    ptx.st "shared::cta" b32 [%mine], {%v}
    // step: proxy fence for shared memory [T5-SIM-015] -> ptx.fence.proxy.async global
    ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
    ptx.bar.sync %c0 // step: barrier before the copy [T5-SIM-014]
    scf.if %is_first {
      ptx.cp.async.bulk.tensor.store %map, {%c0, %i}, [%stage]
      ptx.cp.async.bulk.commit_group // step: commit_group [T5-SIM-014]
    }
  }
  ptx.cp.async.bulk.wait_group read 0 // step: wait_group before the end [T5-SIM-018]
  ptx.ret
}
