// Attention over two blocks of keys: the warps store P over the columns of S. The next S overwrites
// P without a wait, as kernels of CUTLASS do; the manual asks for one.
//
// Mistakes are found under every schedule.
// warning T5-SIM-026
// argument q: bf16 128x16, box 16x128 swizzle_32b
// argument k: bf16 32x16, box 16x32 swizzle_32b
// argument v: bf16 8x32, box 16x8 swizzle_32b
// argument out: f32 128x8
// result out: bf16(q @ k.T) @ v.T

!q = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!k = !tcgen05.smem_descriptor<16x16xbf16, k_major, swizzle_32b>
!v = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!s = !tcgen05.tmem<128x16xf32>
!p = !tcgen05.tmem<128x16xbf16, a>
!o = !tcgen05.tmem<128x8xf32>
!s_rows = !tcgen05.tmem<32x16xf32>
!p_rows = !tcgen05.tmem<32x8xi32>
!o_rows = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @q_tile size 4096 alignment 1024
ptx.shared_memory @k_tile size 1024 alignment 1024
ptx.shared_memory @v_tile size 512 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @s_ready size 8 alignment 8
ptx.shared_memory @p_ready size 8 alignment 8
ptx.shared_memory @done size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @p_over_s(
    %q_map : !ptx.tensor_map<128x16xbf16, swizzle_32b>,
    %k_map : !ptx.tensor_map<32x16xbf16, swizzle_32b>,
    %v_map : !ptx.tensor_map<8x16xbf16, swizzle_32b>, %out : i64
) attributes {reqntid = array<i32: 160, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %bytes = arith.constant 5632 : i32
  %v_bytes = arith.constant 256 : i32
  %all_lanes = arith.constant -1 : i32
  %warp_lanes = arith.constant 224 : i32
  %false = arith.constant false
  %q_tile = ptx.address_of @q_tile
  %k_tile = ptx.address_of @k_tile
  %v_tile = ptx.address_of @v_tile
  %v_tile_1 = arith.addi %v_tile, %v_bytes : i32
  %loaded = ptx.address_of @loaded
  %s_ready = ptx.address_of @s_ready
  %p_ready = ptx.address_of @p_ready
  %done = ptx.address_of @done
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %first_lane = ptx.and b32 %thread, %warp_lanes
  %is_last_warp = arith.cmpi eq, %first_lane, %c128 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  %to = ptx.mad.wide u32 %thread, %c32, %out
  scf.if %is_last_warp {
    tcgen05.alloc %slot, %c32
    scf.if %elected {
      ptx.mbarrier.init [%loaded], %c1
      ptx.mbarrier.init [%s_ready], %c1
      ptx.mbarrier.init [%p_ready], %c128
      ptx.mbarrier.init [%done], %c1
      ptx.fence.mbarrier_init
      ptx.fence.proxy.async "shared::cta"
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
      ptx.cp.async.bulk.tensor.load [%q_tile], %q_map, {%c0, %c0}, [%loaded]
      ptx.cp.async.bulk.tensor.load [%k_tile], %k_map, {%c0, %c0}, [%loaded]
      ptx.cp.async.bulk.tensor.load [%v_tile], %v_map, {%c0, %c0}, [%loaded]
      ptx.cp.async.bulk.tensor.load [%v_tile_1], %v_map, {%c16, %c0}, [%loaded]
    }
    ptx.bar.warp.sync %all_lanes
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %s = tcgen05.slice %all[0, 0] : !all to !s
  %p = tcgen05.slice %all[0, 0] : !all to !p
  %o = tcgen05.slice %all[0, 16] : !all to !o
  scf.if %is_last_warp {
    scf.if %elected {
      %q = tcgen05.descriptor %q_tile : !q
      %k_first = tcgen05.descriptor %k_tile : !k
      %v_first = tcgen05.descriptor %v_tile : !v
      ptx.mbarrier.wait [%loaded], %c0
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        %k = tcgen05.tile %k_first[%i] : !k
        %v = tcgen05.tile %v_first[%i] : !v
        %accumulate = arith.cmpi ne, %i, %c0 : i32
        tcgen05.mma %s, %q, %k accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x16>} : !s, !q, !k
        tcgen05.commit %s_ready
        ptx.mbarrier.wait [%p_ready], %i // step: wait for P [T5-SIM-014]
        tcgen05.fence after_thread_sync // step: fence::after_thread_sync before P times V [T5-SIM-029]
        // mistake: product over A that is not read yet [T5-SIM-014] -> tcgen05.mma %o, %p, %v accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !o, !p, !v %o_0 = tcgen05.slice %all[0, 12] : !all to !o tcgen05.mma %o_0, %q, %v accumulate %false {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !o, !q, !v
        tcgen05.mma %o, %p, %v accumulate %accumulate {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x8>} : !o, !p, !v
      }
      tcgen05.commit %done
    }
    ptx.bar.warp.sync %all_lanes
  } else {
    %s_part = tcgen05.slice %s[%first_lane, 0] : !s to !s_rows
    %p_part = tcgen05.slice %all[%first_lane, 0] : !all to !p_rows
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      ptx.mbarrier.wait [%s_ready], %i
      tcgen05.fence after_thread_sync
      %x:16 = tcgen05.ld shape_32x32b x16 %s_part : !s_rows
      tcgen05.wait ld // step: wait::ld before P is stored [T5-SIM-014]
      %w0 = ptx.cvt.pack rn bf16x2 f32 %x#1, %x#0
      %w1 = ptx.cvt.pack rn bf16x2 f32 %x#3, %x#2
      %w2 = ptx.cvt.pack rn bf16x2 f32 %x#5, %x#4
      %w3 = ptx.cvt.pack rn bf16x2 f32 %x#7, %x#6
      %w4 = ptx.cvt.pack rn bf16x2 f32 %x#9, %x#8
      %w5 = ptx.cvt.pack rn bf16x2 f32 %x#11, %x#10
      %w6 = ptx.cvt.pack rn bf16x2 f32 %x#13, %x#12
      %w7 = ptx.cvt.pack rn bf16x2 f32 %x#15, %x#14
      tcgen05.st shape_32x32b x8 %p_part, (%w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7) : !p_rows
      tcgen05.wait st // step: wait::st before P is handed on [T5-SIM-014]
      tcgen05.fence before_thread_sync // step: fence::before_thread_sync behind P [T5-SIM-028]
      ptx.mbarrier.arrive [%p_ready]
    }
    ptx.mbarrier.wait [%done], %c0
    tcgen05.fence after_thread_sync
    %o_part = tcgen05.slice %o[%first_lane, 0] : !o to !o_rows
    %y:8 = tcgen05.ld shape_32x32b x8 %o_part : !o_rows
    tcgen05.wait ld
    ptx.st global b32 [%to], {%y#0, %y#1, %y#2, %y#3}
    ptx.st global b32 [%to + 16], {%y#4, %y#5, %y#6, %y#7}
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_last_warp {
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %c32 : !all
  }
  ptx.ret
}
