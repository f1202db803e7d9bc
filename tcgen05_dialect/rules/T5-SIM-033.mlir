// T5-SIM-033
// section: 9.7.13.15.1
// subject: fence after mbarrier.init
// statement: A fence.mbarrier_init or a fence.proxy.async follows the initialisation of a barrier
//     object, even if a CTA barrier comes before the first asynchronous operation that uses it.
// why: The manual makes the initialisation visible to the async proxy only with such a fence.
// fix: execute fence.mbarrier_init or fence.proxy.async after the init
// practice: Triton executes a CTA barrier only
// shown by: run

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x16xbf16, k_major, swizzle_32b>
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
  ptx.fence.proxy.async "shared::cta"
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c128
    scf.if %is_first {
      ptx.mbarrier.init [%done], %c1
    }
  }
  ptx.bar.sync %c0
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first {
    %a = tcgen05.descriptor %zeros : !a
    %b = tcgen05.descriptor %zeros : !b
    tcgen05.mma %d, %a, %b accumulate %no {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
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

!d = !tcgen05.tmem<128x64xf32>
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<64x16xbf16, k_major, swizzle_32b>
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
  ptx.fence.proxy.async "shared::cta"
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {
    tcgen05.alloc %slot, %c128
    scf.if %is_first {
      ptx.mbarrier.init [%done], %c1
      ptx.fence.mbarrier_init
    }
  }
  ptx.bar.sync %c0
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first {
    %a = tcgen05.descriptor %zeros : !a
    %b = tcgen05.descriptor %zeros : !b
    tcgen05.mma %d, %a, %b accumulate %no {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x64>} : !d, !a, !b
    tcgen05.commit %done
    ptx.mbarrier.wait [%done], %c0
  }
  ptx.bar.sync %c0
  scf.if %is_first_warp {
    tcgen05.dealloc %all, %c128 : !all
  }
  ptx.ret
}
