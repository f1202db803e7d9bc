// One thread announces the bytes of each tile, another one copies it by TMA, and a warp reads it.
//
// argument a: u32 3x32, box 32x1 no_swizzle
// argument out: u32 3x32
// result out: a

ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @free size 8 alignment 8

ptx.kernel @phases_announced(%map : !ptx.tensor_map<1x32xu32>, %out : i64)
    attributes {reqntid = array<i32: 96, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 128 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  %free = ptx.address_of @free
  %lane = ptx.special_register laneid
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %from = ptx.mad u32 %lane, %c4, %tile
  %is_first_warp = arith.cmpi eq, %warp, %c0 : i32
  %is_second_warp = arith.cmpi eq, %warp, %c1 : i32
  %is_third_warp = arith.cmpi eq, %warp, %c2 : i32
  %is_first_lane = arith.cmpi eq, %lane, %c0 : i32
  %announces = arith.andi %is_first_warp, %is_first_lane : i1
  %copies = arith.andi %is_second_warp, %is_first_lane : i1
  scf.if %announces {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%free], %c32
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  ptx.bar.sync %c0
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %parity = arith.andi %i, %c1 : i32
    %parity_before = arith.xori %parity, %c1 : i32
    scf.if %announces {
      ptx.mbarrier.wait [%free], %parity_before // step: wait before the announcement [T5-SIM-008]
      ptx.mbarrier.expect_tx [%loaded], %bytes
      ptx.mbarrier.arrive [%loaded] // step: arrival of the thread that announces [T5-SIM-005]
    }
    scf.if %copies {
      ptx.mbarrier.wait [%free], %parity_before // step: wait before the copy [T5-SIM-014]
      ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %i}, [%loaded]
    }
    scf.if %is_third_warp {
      ptx.mbarrier.wait [%loaded], %parity
      %v = ptx.ld "shared::cta" b32 [%from] -> i32
      ptx.mbarrier.arrive [%free]
      %index = ptx.mad u32 %i, %c32, %lane
      %to = ptx.mad.wide u32 %index, %c4, %out
      ptx.st global b32 [%to], {%v}
    }
  }
  ptx.ret
}
