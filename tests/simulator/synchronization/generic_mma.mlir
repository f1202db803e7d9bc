// A warp writes A and B to shared memory, and one thread multiplies them.
//
// argument a: bf16 2048
// argument b: bf16 128
// argument out: f32 32x8
// result out: a.reshape(16, 2, 8, 8).swapaxes(1, 2).reshape(128, 16)[:32] @ b.reshape(2, 8, 8).swapaxes(0, 1).reshape(8, 16).T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @a_tile size 4096 alignment 128
ptx.shared_memory @b_tile size 256 alignment 128
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @generic_mma(%a_bytes : i64, %b_bytes : i64, %out : i64)
    attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c256 = arith.constant 256 : i32
  %all_lanes = arith.constant -1 : i32
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c32, %out
  tcgen05.alloc %slot, %c32
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
  }
  scf.for %vector = %lane to %c256 step %c32 : i32 {
    %from = ptx.mad.wide u32 %vector, %c16, %a_bytes
    %place = ptx.mad u32 %vector, %c16, %a_tile
    %x:4 = ptx.ld global b32 [%from] -> 4 x i32
    ptx.st "shared::cta" b32 [%place], {%x#0, %x#1, %x#2, %x#3}
  }
  %from_b = ptx.mad.wide u32 %lane, %c8, %b_bytes
  %place_b = ptx.mad u32 %lane, %c8, %b_tile
  %y:2 = ptx.ld global b32 [%from_b] -> 2 x i32
  ptx.st "shared::cta" b32 [%place_b], {%y#0, %y#1}
  // step: proxy fence for shared memory [T5-SIM-015] -> ptx.fence.proxy.async global
  ptx.fence.proxy.async "shared::cta" // step: proxy fence before the product [T5-SIM-015]
  ptx.bar.warp.sync %all_lanes // step: bar.warp.sync before the product [T5-SIM-014]
  scf.if %elected {
    %a = tcgen05.descriptor %a_tile : !a
    %b = tcgen05.descriptor %b_tile : !b
    tcgen05.mma %d, %a, %b accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !d, !a, !b
    tcgen05.commit %multiplied
    // mistake: A written again before the product is complete [T5-SIM-014] -> ptx.st "shared::cta" b32 [%a_tile], {%c0}
  }
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync // step: fence::after_thread_sync before the load [T5-SIM-029]
  %part = tcgen05.slice %d[0, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
  ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
  tcgen05.dealloc %all, %c32 : !all
  ptx.ret
}
