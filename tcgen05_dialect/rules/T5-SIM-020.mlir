// T5-SIM-020
// section: 9.7.16.10.7
// subject: copies of the scale factors
// statement: The lanes of each warp hold a copy of the scale factors.
// why: The MMA reads the copy in the lanes of each warp.
// fix: copy the scale factors to the lanes of all warps (cp with .warpx4 does)
// shown by: run

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x64xf32>
!scale_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scale_b = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!all = !tcgen05.tmem<128x128xf32>
ptx.shared_memory @zeros size 4096 alignment 1024
ptx.shared_memory @done size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %no = arith.constant false
  %zeros = ptx.address_of @zeros
  %done = ptx.address_of @done
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %row = ptx.mad u32 %thread, %c32, %zeros
  ptx.st "shared::cta" b32 [%row], {%c0, %c0, %c0, %c0}
  ptx.st "shared::cta" b32 [%row + 16], {%c0, %c0, %c0, %c0}
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c128
    scf.if %is_first {
      ptx.mbarrier.init [%done], %c1
    }
  }
  ptx.fence.proxy.async "shared::cta"
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %c16 = arith.constant 16 : i32
  %c31 = arith.constant 31 : i32
  %c96 = arith.constant 96 : i32
  %lane = arith.andi %thread, %c31 : i32
  %first_lane = arith.andi %thread, %c96 : i32
  %offset = arith.shli %first_lane, %c16 : i32
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %mine = arith.addi %base, %offset : i32
  ptx.tcgen05.st shape_32x32b x8 [%mine + 64], {%thread, %thread, %thread, %thread, %thread, %thread, %thread, %thread}
  tcgen05.wait st
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first {
    %a = tcgen05.descriptor %zeros : !a
    %b = tcgen05.descriptor %zeros : !b
    %scale_a = tcgen05.slice %all[0, 64] : !all to !scale_a
    %scale_b = tcgen05.slice %all[0, 68] : !all to !scale_b
    tcgen05.mma.block_scale %d, %a, %b scales %scale_a, %scale_b accumulate %no {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !scale_a, !scale_b
    tcgen05.commit %done
    ptx.mbarrier.wait [%done], %c0
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.dealloc %all, %c128 : !all
  }
  ptx.ret
}

// -----

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!d = !tcgen05.tmem<128x64xf32>
!scale_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scale_b = !tcgen05.tmem<64x4xf8E8M0FNU, scale>
!all = !tcgen05.tmem<128x128xf32>
ptx.shared_memory @zeros size 4096 alignment 1024
ptx.shared_memory @done size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @example() attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %no = arith.constant false
  %zeros = ptx.address_of @zeros
  %done = ptx.address_of @done
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %row = ptx.mad u32 %thread, %c32, %zeros
  ptx.st "shared::cta" b32 [%row], {%c0, %c0, %c0, %c0}
  ptx.st "shared::cta" b32 [%row + 16], {%c0, %c0, %c0, %c0}
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c128
    scf.if %is_first {
      ptx.mbarrier.init [%done], %c1
    }
  }
  ptx.fence.proxy.async "shared::cta"
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %c16 = arith.constant 16 : i32
  %c31 = arith.constant 31 : i32
  %c96 = arith.constant 96 : i32
  %lane = arith.andi %thread, %c31 : i32
  %first_lane = arith.andi %thread, %c96 : i32
  %offset = arith.shli %first_lane, %c16 : i32
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %mine = arith.addi %base, %offset : i32
  ptx.tcgen05.st shape_32x32b x8 [%mine + 64], {%lane, %lane, %lane, %lane, %lane, %lane, %lane, %lane}
  tcgen05.wait st
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first {
    %a = tcgen05.descriptor %zeros : !a
    %b = tcgen05.descriptor %zeros : !b
    %scale_a = tcgen05.slice %all[0, 64] : !all to !scale_a
    %scale_b = tcgen05.slice %all[0, 68] : !all to !scale_b
    tcgen05.mma.block_scale %d, %a, %b scales %scale_a, %scale_b accumulate %no {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !scale_a, !scale_b
    tcgen05.commit %done
    ptx.mbarrier.wait [%done], %c0
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.dealloc %all, %c128 : !all
  }
  ptx.ret
}
