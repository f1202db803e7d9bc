!map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!tile = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!sums = !tcgen05.tmem<128x128xf32>
#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>
ptx.shared_memory @a_tile size 16384 alignment 1024
ptx.shared_memory @b_tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k(%a_map : !map, %b_map : !map, %out : i64, %blocks : i32 {ptx.at_least = 1})
    attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %false = arith.constant false
  %bytes = arith.constant 32768 : i32
  %scale = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %all = arith.constant -1 : i32
  %true = arith.constant true
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi eq, %warp, %c0 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }
  scf.if %is_first_warp {
    ptx.bar.warp.sync %all
    tcgen05.alloc %slot, %c128
  }
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %acc = tcgen05.load_address %slot : !sums
  %lane = arith.muli %warp, %c32 : i32
  %a = tcgen05.descriptor %a_tile : !tile
  %b = tcgen05.descriptor %b_tile : !tile
  %last = scf.for %block = %c0 to %blocks step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %parity = arith.andi %block, %c1 : i32
    %at = arith.muli %block, %c64 : i32
    scf.if %is_first {
      ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
      ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%at, %c0}, [%loaded]
      ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {%at, %c0}, [%loaded]
      ptx.mbarrier.wait [%loaded], %parity
      tcgen05.fence after_thread_sync
      tcgen05.mma %acc, %a, %b accumulate %false {idesc = #multiply}
          : !sums, !tile, !tile
      tcgen05.mma %acc, %a[k = 16], %b[k = 16] accumulate %true {idesc = #multiply}
          : !sums, !tile, !tile
      tcgen05.commit %multiplied
    }
    ptx.mbarrier.wait [%multiplied], %parity
    ptx.bar.sync %c0
    tcgen05.fence after_thread_sync
    %rows = tcgen05.slice %acc[%lane, 0] : !sums to !tcgen05.tmem<32x1xf32>
    %product = tcgen05.ld shape_32x32b x1 %rows : !tcgen05.tmem<32x1xf32>
    tcgen05.wait ld
    %scaled = arith.mulf %product, %scale : f32
    %next = arith.addf %sum, %scaled : f32
    // All warps have loaded their sums.
    tcgen05.fence before_thread_sync
    ptx.bar.sync %c0
    tcgen05.fence after_thread_sync
    scf.yield %next : f32
  }
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {%last}
  scf.if %is_first_warp {
    tcgen05.relinquish_alloc_permit
    tcgen05.dealloc %acc, %c128 : !sums
  }
  ptx.ret
}
