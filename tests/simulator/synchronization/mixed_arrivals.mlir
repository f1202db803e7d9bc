// A barrier object counts what is asynchronous and what is not: a commit, the bytes of a copy, and
// the arrivals of a warp.
//
// argument a: u32 32x4, box 4x32 no_swizzle
// argument b: u32 1x32, box 32x1 no_swizzle
// argument c: u32 32
// argument out: u32 32
// result out: a[:, 0] + b[0] + c

!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xi32>
!cells = !tcgen05.tmem<128x4xi32>
!rows = !tcgen05.tmem<32x1xi32>

ptx.shared_memory @a_tile size 512 alignment 128
ptx.shared_memory @b_tile size 128 alignment 128
ptx.shared_memory @c_tile size 128 alignment 4
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @ready size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @mixed_arrivals(
    %a_map : !ptx.tensor_map<32x4xu32>, %b_map : !ptx.tensor_map<1x32xu32>, %c : i64,
    %out : i64
) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c33 = arith.constant 33 : i32
  %c34 = arith.constant 34 : i32
  %a_bytes = arith.constant 512 : i32
  %b_bytes = arith.constant 128 : i32
  %all_lanes = arith.constant -1 : i32
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %c_tile = ptx.address_of @c_tile
  %loaded = ptx.address_of @loaded
  %ready = ptx.address_of @ready
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %from_c = ptx.mad.wide u32 %lane, %c4, %c
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %b_mine = ptx.mad u32 %lane, %c4, %b_tile
  %c_mine = ptx.mad u32 %lane, %c4, %c_tile
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_issuer = arith.cmpi eq, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c32
  }
  scf.if %is_issuer {
    ptx.mbarrier.init [%loaded], %c1
    // step: count, without the commit [T5-SIM-014] -> ptx.mbarrier.init [%ready], %c33
    ptx.mbarrier.init [%ready], %c34
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %cells = tcgen05.slice %all[0, 0] : !all to !cells
  scf.if %is_first_warp {
    ptx.mbarrier.wait [%ready], %c0 // step: wait [T5-SIM-013]
    tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
    %part = tcgen05.slice %cells[0, 0] : !cells to !rows
    %v = tcgen05.ld shape_32x32b x1 %part : !rows
    tcgen05.wait ld
    %w = ptx.ld "shared::cta" b32 [%b_mine] -> i32
    %x = ptx.ld "shared::cta" b32 [%c_mine] -> i32
    %sum = arith.addi %v, %w : i32
    %sum_of_all = arith.addi %sum, %x : i32
    ptx.st global b32 [%to], {%sum_of_all}
    tcgen05.dealloc %all, %c32 : !all
  } else {
    scf.if %is_issuer {
      ptx.mbarrier.arrive.expect_tx [%loaded], %a_bytes
      ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
      // step: bytes that the arrival expects [T5-SIM-005] -> ptx.mbarrier.arrive [%ready]
      ptx.mbarrier.arrive.expect_tx [%ready], %b_bytes // step: arrival that expects bytes [T5-SIM-005]
      ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%ready] // step: copy [T5-SIM-005]
      ptx.mbarrier.wait [%loaded], %c0 // step: wait for the source [T5-SIM-014]
      tcgen05.fence after_thread_sync
      %source = tcgen05.descriptor %a_tile : !source
      tcgen05.cp shape_32x128b warpx4 %cells, %source : !cells, !source
      // step: arrival by commit [T5-SIM-014] -> ptx.mbarrier.arrive [%ready]
      tcgen05.commit %ready // step: commit [T5-SIM-005]
    }
    ptx.bar.warp.sync %all_lanes
    %x = ptx.ld global b32 [%from_c] -> i32
    ptx.st "shared::cta" b32 [%c_mine], {%x}
    // step: release of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive relaxed cta [%ready]
    ptx.mbarrier.arrive [%ready] // step: arrival of the writers [T5-SIM-005]
  }
  ptx.ret
}
