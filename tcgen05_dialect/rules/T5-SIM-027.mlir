// T5-SIM-027
// section: 9.7.16.6.2
// subject: copy that overwrites scale factors of an earlier MMA
// statement: If a cp overwrites scale factors or metadata that an earlier MMA reads, it follows a
//     wait for that MMA.
// why: The manual orders an MMA after an earlier cp, but not a cp after an earlier MMA.
// fix: commit the MMA, and wait for it before the copy
// practice: block-scaled kernels of CUTLASS rely on the order of issue
// shown by: run

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x32xf8E4M3FN, k_major, swizzle_32b>
!factors = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
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
  scf.if %is_first {
    %a = tcgen05.descriptor %zeros : !a
    %b = tcgen05.descriptor %zeros : !b
    %factors = tcgen05.descriptor %zeros : !factors
    %d = tcgen05.slice %all[0, 0] : !all to !d
    %scale_a = tcgen05.slice %all[0, 64] : !all to !scale_a
    %scale_b = tcgen05.slice %all[0, 68] : !all to !scale_b
    tcgen05.cp shape_32x128b warpx4 %scale_a, %factors : !scale_a, !factors
    tcgen05.cp shape_32x128b warpx4 %scale_b, %factors : !scale_b, !factors
    tcgen05.mma.block_scale %d, %a, %b scales %scale_a, %scale_b accumulate %no {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !scale_a, !scale_b
    tcgen05.cp shape_32x128b warpx4 %scale_a, %factors : !scale_a, !factors
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
!factors = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
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
  scf.if %is_first {
    %a = tcgen05.descriptor %zeros : !a
    %b = tcgen05.descriptor %zeros : !b
    %factors = tcgen05.descriptor %zeros : !factors
    %d = tcgen05.slice %all[0, 0] : !all to !d
    %scale_a = tcgen05.slice %all[0, 64] : !all to !scale_a
    %scale_b = tcgen05.slice %all[0, 68] : !all to !scale_b
    tcgen05.cp shape_32x128b warpx4 %scale_a, %factors : !scale_a, !factors
    tcgen05.cp shape_32x128b warpx4 %scale_b, %factors : !scale_b, !factors
    tcgen05.mma.block_scale %d, %a, %b scales %scale_a, %scale_b accumulate %no {idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x64, scale_type ue8m0>} : !d, !a, !b, !scale_a, !scale_b
    tcgen05.commit %done
    ptx.mbarrier.wait [%done], %c0
    tcgen05.fence after_thread_sync
    tcgen05.cp shape_32x128b warpx4 %scale_a, %factors : !scale_a, !factors
    tcgen05.commit %done
    ptx.mbarrier.wait [%done], %c1
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.dealloc %all, %c128 : !all
  }
  ptx.ret
}
