// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_200(%from : i64, %to : i32, %size : i32, %full : i32) {
  %odd = ptx.constant 24 : i32
  %even = ptx.constant 32 : i32
  // CHECK: error[T5-PTX-200]: ptx.cp.async.bulk.load: size of a bulk copy must be 0, 16, ... 1048560; found 24
  ptx.cp.async.bulk.load [%to], [%from], %odd, [%full]
  ptx.ret
}

// -----

ptx.kernel @ptx_200_1(%to : i64, %from : i32, %size : i32) {
  %large = ptx.constant 1048576 : i32
  // CHECK: error[T5-PTX-200]: ptx.cp.async.bulk.store: size of a bulk copy must be 0, 16, ... 1048560; found 1048576
  ptx.cp.async.bulk.store [%to], [%from], %large
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @ptx_201(%from : i64, %size : i32, %full : i32) {
  %tile = ptx.address_of @tile
  // CHECK: error[T5-PTX-201]: ptx.cp.async.bulk.load: address of a bulk copy must be aligned to 16 bytes; found 8 bytes into @tile, which is aligned to 16
  ptx.cp.async.bulk.load [%tile + 8], [%from], %size, [%full]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 16
ptx.kernel @ptx_084(%to : i64) {
  %tile = ptx.address_of @tile
  %bytes = ptx.constant 64 : i32
  // CHECK: error[T5-PTX-084]: ptx.cp.async.bulk.store: accessed bytes must be inside the 64 bytes of @tile; found 64 bytes at offset 16
  ptx.cp.async.bulk.store [%to], [%tile + 16], %bytes
  ptx.ret
}

// -----

ptx.shared_memory @full size 8 alignment 8
ptx.kernel @ptx_045(%from : i64, %to : i32, %size : i32) {
  %full = ptx.address_of @full
  // CHECK: error[T5-PTX-045]: ptx.cp.async.bulk.load: barrier object must be inside the 8 bytes of @full; found 8 bytes at offset 8
  ptx.cp.async.bulk.load [%to], [%from], %size, [%full + 8]
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "9.2">} {
  ptx.kernel @ptx_202(%from : i64, %to : i32, %size : i32, %full : i32) {
    %most = ptx.constant 15 : i32
    %chunk = ptx.constant 16 : i32
    // CHECK: error[T5-PTX-202]: ptx.cp.async.bulk.load.ignore_oob: bytes that a bulk copy may ignore must be 0, 1, ... 15; found 16
  ptx.cp.async.bulk.load.ignore_oob [%to], [%from], %size, %chunk, %most, [%full]
    ptx.ret
  }
}

// -----

ptx.kernel @ptx_203(%from : i32, %to : i32, %size : i32, %full : i32) {
  // CHECK: error[T5-PTX-203]: ptx.cp.reduce.async.bulk.remote: operation min needs type s32 or u32; found u64
  ptx.cp.reduce.async.bulk.remote min u64 [%to], [%from], %size, [%full]
  ptx.ret
}

// -----

ptx.kernel @ptx_204(%to : i64, %from : i32, %size : i32) {
  // CHECK: error[T5-PTX-204]: ptx.cp.reduce.async.bulk.store: operation add without noftz needs type f32, f64, s32, u32 or u64; found f16
  ptx.cp.reduce.async.bulk.store add f16 [%to], [%from], %size
  ptx.ret
}

// -----

ptx.kernel @ptx_204_8(%to : i64, %from : i32, %size : i32) {
  // CHECK: error[T5-PTX-204]: ptx.cp.reduce.async.bulk.store: operation inc needs type u32; found u64
  ptx.cp.reduce.async.bulk.store inc u64 [%to], [%from], %size
  ptx.ret
}

// -----

ptx.kernel @ptx_097(%from : i64, %to : i32, %size : i32, %full : i32, %mask : i16) {
  // CHECK: error[T5-PTX-097]: ptx.cp.async.bulk.load: spelling of the instruction must be one that shows multicast_mask; found multicast_mask with the spelling shared::cta
  ptx.cp.async.bulk.load multicast_mask(%mask) [%to], [%from], %size, [%full] {spelling = "shared::cta"}
  ptx.ret
}
