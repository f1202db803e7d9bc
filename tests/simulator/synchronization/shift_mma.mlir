// One thread multiplies A, then A with its rows shifted down and new first rows: a pipeline, in
// which nothing is waited for.
//
// argument a: bf16 128x16, box 8x128 no_swizzle
// argument b: bf16 8x16, box 16x8 swizzle_32b
// argument out: f32 2x32x8
// result out: np.stack([a[:32] @ b.T, np.vstack([a[:1], a[2:32], a[31:32]]) @ b.T])

!source = !tcgen05.smem_descriptor<128x32xui8, k_major, no_swizzle, mn_first>
!a = !tcgen05.tmem<128x16xbf16, a>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!cells = !tcgen05.tmem<128x8xi32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 128
ptx.shared_memory @b_tile size 256 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @shift_mma(
    %a_map : !ptx.tensor_map<128x8xbf16>, %b_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>,
    %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 4352 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %second_half = ptx.address_of @a_tile + 2048
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d0 = tcgen05.slice %all[0, 0] : !all to !d
  %d1 = tcgen05.slice %all[0, 8] : !all to !d
  %a = tcgen05.slice %all[0, 16] : !all to !a
  %cells = tcgen05.slice %all[0, 16] : !all to !cells
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%second_half], %a_map, {%c8, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
    ptx.mbarrier.wait [%loaded], %c0 // step: wait for the loads [T5-SIM-014]
    tcgen05.fence after_thread_sync
    %source = tcgen05.descriptor %a_tile : !source
    %b = tcgen05.descriptor %b_tile : !b
    tcgen05.cp shape_128x256b %cells, %source : !cells, !source
    // step: product between copy and shift, which are no pipeline [T5-SIM-014]
    tcgen05.mma %d0, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.shift %cells : !cells
    // step: shape of a copy that follows a shift [T5-SIM-014] -> tcgen05.cp shape_128x256b %cells, %source : !cells, !source
    tcgen05.cp shape_4x256b %cells, %source : !cells, !source
    tcgen05.mma %d1, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    %column = arith.muli %i, %c8 : i32
    %part = tcgen05.slice %all[0, %column] : !all to !rows
    %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
    tcgen05.wait ld
    %row = ptx.mad u32 %i, %c32, %lane
    %to = ptx.mad.wide u32 %row, %c32, %out
    ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
    ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  }
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
