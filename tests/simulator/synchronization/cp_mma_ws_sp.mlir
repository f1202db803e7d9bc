// A warp writes metadata to shared memory; one thread copies them to tensor memory and multiplies.
// Of each four elements of K the first two are there.
//
// argument a: e4m3 128x32, box 32x128 swizzle_32b
// argument b: e4m3 64x64, box 64x64 swizzle_64b
// argument out: f32 32x8
// result out: a[:32] @ b[:8].reshape(8, 16, 4)[:, :, :2].reshape(8, 32).T

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x64xf8E4M3FN, k_major, swizzle_64b>
!source = !tcgen05.smem_descriptor<128x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x128xf32>
!d = !tcgen05.tmem<128x64xf32>
!cells = !tcgen05.tmem<128x4xi32>
!metadata = !tcgen05.tmem<128x16xi4, metadata>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 1024
ptx.shared_memory @b_tile size 4096 alignment 1024
ptx.shared_memory @indices size 2048 alignment 128
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @cp_mma_ws_sp(
    %a_map : !ptx.tensor_map<128x32xu8, swizzle_32b>,
    %b_map : !ptx.tensor_map<64x64xu8, swizzle_64b>, %out : i64
) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 8192 : i32
  %index = arith.constant 1145324612 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %indices = ptx.address_of @indices
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c32, %out
  tcgen05.alloc %slot, %c128
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %cells = tcgen05.slice %all[0, 64] : !all to !cells
  %metadata = tcgen05.slice %all[0, 64] : !all to !metadata
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%c0, %c0}, [%loaded]
    ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%c0, %c0}, [%loaded]
  }
  ptx.bar.warp.sync %all_lanes
  scf.for %row = %lane to %c128 step %c32 : i32 {
    %place = ptx.mad u32 %row, %c16, %indices
    ptx.st "shared::cta" b32 [%place], {%index, %index, %index, %index}
  }
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the copy [T5-SIM-015]
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the copy [T5-SIM-014]
  ptx.mbarrier.wait [%loaded], %c0
  tcgen05.fence after_thread_sync
  scf.if %elected {
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    %source = tcgen05.descriptor %indices : !source
    tcgen05.cp shape_128x128b %cells, %source : !cells, !source // step: copy [T5-SIM-013]
    tcgen05.mma.ws.sp %d, %a, %b metadata %metadata accumulate %false {idesc = #tcgen05.idesc<f8f6f4, e4m3 x e4m3 -> f32, 128x64, sparse>} : !d, !a, !b, !metadata
    tcgen05.commit %multiplied // step: commit [T5-SIM-005]
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0 // step: wait before the load [T5-SIM-014]
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  tcgen05.dealloc %all, %c128 : !all
  ptx.ret
}
