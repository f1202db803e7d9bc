// All lanes of two warps wait for a tile. One lane invalidates the barrier object as soon as both
// warps have seen the end of its phase, and uses its memory for a word that all threads read.
//
// argument a: u32 1x64, box 64x1 no_swizzle
// argument out: u32 64
// result out: a[0] + 7

ptx.shared_memory @tile size 256 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @seen size 8 alignment 8

ptx.kernel @inval(%map : !ptx.tensor_map<1x64xu32>, %out : i64)
    attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 256 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %seen = ptx.address_of @seen
  %thread = ptx.special_register tid.x
  %from = ptx.mad u32 %thread, %c4, %tile
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_other = arith.cmpi eq, %thread, %c32 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%seen], %c1
    ptx.fence.mbarrier_init
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
  }
  ptx.bar.sync %c0
  // mistake: lanes of a warp that go different ways before their wait [T5-SIM-014] -> scf.if %is_first { ptx.nanosleep %c0 }
  ptx.mbarrier.wait [%loaded], %c0
  scf.if %is_other {
    ptx.mbarrier.arrive [%seen]
  }
  scf.if %is_first {
    ptx.mbarrier.wait [%seen], %c0 // step: wait for the other warp [T5-SIM-014]
    ptx.mbarrier.inval [%loaded]
    ptx.st "shared::cta" b32 [%loaded], {%c7}
  }
  ptx.bar.sync %c0
  %v = ptx.ld "shared::cta" b32 [%from] -> i32
  %w = ptx.ld "shared::cta" b32 [%loaded] -> i32
  %sum = arith.addi %v, %w : i32
  ptx.st global b32 [%to], {%sum}
  ptx.ret
}
