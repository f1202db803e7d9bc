// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_220(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  // CHECK: error[T5-PTX-220]: ptx.st.async: type b64 needs values 1 or 2; found 4
  ptx.st.async b64 [%to], {%d, %d, %d, %d}, [%full]
  ptx.ret
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @ptx_221(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
    // CHECK: error[T5-PTX-221]: ptx.st.async.global: mmio mmio needs scope sys; found gpu
  ptx.st.async.global mmio release gpu global b32 [%g], %x
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100a", "8.7">} {
  ptx.kernel @ptx_221_2(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
    // CHECK: error[T5-PTX-221]: ptx.red.async.global: mmio mmio needs scope sys; found gpu
  ptx.red.async.global mmio release gpu global add u32 [%g], %x
    ptx.ret
  }
}

// -----

ptx.kernel @ptx_222(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  // CHECK: error[T5-PTX-222]: ptx.red.async: operation min needs type s32 or u32; found u64
  ptx.red.async min u64 [%to], %d, [%full]
  ptx.ret
}

// -----

ptx.kernel @ptx_223(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  %odd = ptx.constant 60 : i64
  %even = ptx.constant 64 : i64
  // CHECK: error[T5-PTX-223]: ptx.st.bulk: size of st.bulk must be 0, 8, ... 16777216; found 60
  ptx.st.bulk [%to], %odd
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 8
ptx.kernel @ptx_083(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  %tile = ptx.address_of @tile
  // CHECK: error[T5-PTX-083]: ptx.st.async: accessed address must be aligned to 16 bytes; found 0 bytes into @tile, which is aligned to 8
  ptx.st.async b32 [%tile], {%x, %x, %x, %x}, [%full]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 8
ptx.kernel @ptx_084(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  %tile = ptx.address_of @tile
  %size = ptx.constant 64 : i64
  // CHECK: error[T5-PTX-084]: ptx.st.bulk: accessed bytes must be inside the 64 bytes of @tile; found 64 bytes at offset 8
  ptx.st.bulk [%tile + 8], %size
  ptx.ret
}

// -----

ptx.kernel @ptx_080(%to : i32, %full : i32, %x : i32, %d : i64, %g : i64, %n : i64) {
  // CHECK: error[T5-PTX-080]: ptx.st.bulk: address: type of an operand or a result must be i32; found i64
  ptx.st.bulk [%g], %n
  ptx.ret
}
