// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @no_coordinates(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.tensor.load: number of coordinates of a tensor copy must be 1, 2, 3, 4 or 5; found 0
  ptx.cp.async.bulk.tensor.load [%s], %map, {}, [%b]
  ptx.ret
}

// -----

ptx.kernel @six_coordinates(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.tensor.load: number of coordinates of a tensor copy must be 1, 2, 3, 4 or 5; found 6
  ptx.cp.async.bulk.tensor.load [%s], %map, {%x, %x, %x, %x, %x, %x}, [%b]
  ptx.ret
}

// -----

ptx.kernel @stored_coordinates(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.tensor.store: number of coordinates of a tensor copy must be 1, 2, 3, 4 or 5; found 6
  ptx.cp.async.bulk.tensor.store %map, {%x, %x, %x, %x, %x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @no_stored_coordinates(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.tensor.store: number of coordinates of a tensor copy must be 1, 2, 3, 4 or 5; found 0
  ptx.cp.async.bulk.tensor.store %map, {}, [%s]
  ptx.ret
}

// -----

ptx.kernel @prefetched_coordinates(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.prefetch.tensor: number of coordinates of a tensor copy must be 1, 2, 3, 4 or 5; found 0
  ptx.cp.async.bulk.prefetch.tensor %map, {}
  ptx.ret
}

// -----

ptx.kernel @pending() {
  // CHECK: error[T5-PTX-051]: ptx.cp.async.bulk.wait_group: number of bulk groups left pending must be 0, 1, ... 2147483647; found -1
  ptx.cp.async.bulk.wait_group -1
  ptx.ret
}

// -----

ptx.kernel @pending_reads() {
  // CHECK: error[T5-PTX-051]: ptx.cp.async.bulk.wait_group: number of bulk groups left pending must be 0, 1, ... 2147483647; found -1
  ptx.cp.async.bulk.wait_group read -1
  ptx.ret
}

// -----

ptx.kernel @tensor_map(%map : i32, %s : i32, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async.bulk.tensor.store: tensor_map: type of an operand or a result must be i64 or !ptx.tensor_map; found i32
  ptx.cp.async.bulk.tensor.store %map, {%x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @destination(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %p : i64) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async.bulk.tensor.load: destination: type of an operand or a result must be i32; found i64
  ptx.cp.async.bulk.tensor.load [%p], %map, {%x}, [%b]
  ptx.ret
}

// -----

ptx.kernel @coordinate(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async.bulk.tensor.load: coordinates: type of an operand or a result must be i32; found i64
  ptx.cp.async.bulk.tensor.load [%s], %map, {%x, %l}, [%b]
  ptx.ret
}

// -----

ptx.kernel @barrier(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %p : i64) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async.bulk.tensor.load: mbarrier: type of an operand or a result must be i32; found i64
  ptx.cp.async.bulk.tensor.load [%s], %map, {%x}, [%p]
  ptx.ret
}

// -----

ptx.kernel @mask(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async.bulk.tensor.load: multicast_mask: type of an operand or a result must be i16; found i32
  ptx.cp.async.bulk.tensor.load multicast_mask(%x) [%s], %map, {%x}, [%b]
  ptx.ret
}

// -----

ptx.kernel @cache_policy(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async.bulk.tensor.store: cache_policy: type of an operand or a result must be i64; found i32
  ptx.cp.async.bulk.tensor.store cache_policy(%x) %map, {%x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @two_masks(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32, %m : i16) {
  // CHECK: error: ptx.cp.async.bulk.tensor.load: expected 0 or 1 values for multicast_mask, but got 2
  ptx.cp.async.bulk.tensor.load multicast_mask(%m, %m) [%s], %map, {%x}, [%b]
  ptx.ret
}

// -----

ptx.kernel @group(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: expected cta_group::1 or cta_group::2 as a qualifier; found "cta_group::3"
  ptx.cp.async.bulk.tensor.load "cta_group::3" [%s], %map, {%x}, [%b]
  ptx.ret
}

// -----

ptx.kernel @generic_group(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-092]: ptx.cp.async.bulk.tensor.load: qualifier must be cta_group::1 or cta_group::2; found cta_group::4
  "ptx.cp.async.bulk.tensor.load"(%s, %map, %x, %b) <{cta_group = "cta_group::4", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (i32, !ptx.tensor_map, i32, i32) -> ()
  ptx.ret
}

// -----

ptx.kernel @tensor_map_in_brackets(%map : !ptx.tensor_map, %s : i32, %b : i32, %x : i32) {
  // CHECK: expected an operand; found '['
  ptx.cp.async.bulk.prefetch.tensor [%map], {%x}
  ptx.ret
}

// -----

ptx.kernel @no_number() {
  ptx.cp.async.bulk.wait_group
  // CHECK: expected an integer; found the end of the line
  ptx.ret
}

// -----

ptx.kernel @number_of_operand(%n : i32) {
  // CHECK: expected an integer; found %n
  ptx.cp.async.bulk.wait_group %n
  ptx.ret
}

// -----

ptx.kernel @prefetched_map(%map : i1) {
  // CHECK: error[T5-PTX-080]: ptx.prefetch.tensormap: tensor_map: type of an operand or a result must be i64, i32 or !ptx.tensor_map; found i1
  ptx.prefetch.tensormap [%map]
  ptx.ret
}

// -----

ptx.kernel @bytes_for_a_map(%map : !ptx.param_array<128, 64>) {
  // CHECK: error[T5-PTX-080]: ptx.prefetch.tensormap: tensor_map: type of an operand or a result must be i64, i32 or !ptx.tensor_map; found !ptx.param_array<128, 64>
  ptx.prefetch.tensormap [%map]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 256 alignment 128
ptx.kernel @both_places(%map : !ptx.tensor_map, %x : i32) {
  %tile = ptx.address_of @tile
  // CHECK: error[T5-PTX-084]: ptx.cp.async.bulk.tensor.load: accessed bytes must be inside the 256 bytes of @tile; found offset -128
  // CHECK: error[T5-PTX-045]: ptx.cp.async.bulk.tensor.load: barrier object must be inside the 256 bytes of @tile; found 8 bytes at offset 256
  ptx.cp.async.bulk.tensor.load [%tile + -128], %map, {%x}, [%tile + 256]
  ptx.ret
}

// -----

ptx.kernel @loaded_rank(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.tensor.load: number of coordinates of a tensor copy must be 2, as !ptx.tensor_map<128x64xbf16, swizzle_128b> has; found 1
  ptx.cp.async.bulk.tensor.load [%s], %map, {%x}, [%b]
  ptx.ret
}

// -----

ptx.kernel @stored_rank(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.tensor.store: number of coordinates of a tensor copy must be 2, as !ptx.tensor_map<128x64xbf16, swizzle_128b> has; found 3
  ptx.cp.async.bulk.tensor.store %map, {%x, %x, %x}, [%s]
  ptx.ret
}

// -----

ptx.kernel @prefetched_rank(%map : !ptx.tensor_map<128x64xbf16, swizzle_128b>, %s : i32, %b : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.async.bulk.prefetch.tensor: number of coordinates of a tensor copy must be 2, as !ptx.tensor_map<128x64xbf16, swizzle_128b> has; found 1
  ptx.cp.async.bulk.prefetch.tensor %map, {%x}
  ptx.ret
}

// -----

ptx.shared_memory @tile size 4096 alignment 128
ptx.shared_memory @bar size 8 alignment 8
ptx.kernel @loaded_box(%map : !ptx.tensor_map<32x64xbf16>, %padded : !ptx.tensor_map<32x128xb4x16_p64>, %x : i32) {
  %tile = ptx.address_of @tile
  %b = ptx.address_of @bar
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%x, %x}, [%b]
  ptx.cp.async.bulk.tensor.load [%tile], %padded, {%x, %x}, [%b]
  // CHECK: error[T5-PTX-084]: ptx.cp.async.bulk.tensor.load: accessed bytes must be inside the 4096 bytes of @tile; found 4096 bytes at offset 128
  ptx.cp.async.bulk.tensor.load [%tile + 128], %map, {%x, %x}, [%b]
  ptx.ret
}

// -----

ptx.shared_memory @tile size 4096 alignment 128
ptx.kernel @stored_box(%map : !ptx.tensor_map<32x64xbf16>, %x : i32) {
  %tile = ptx.address_of @tile + 2048
  // CHECK: error[T5-PTX-084]: ptx.cp.async.bulk.tensor.store: accessed bytes must be inside the 4096 bytes of @tile; found 4096 bytes at offset 2048
  ptx.cp.async.bulk.tensor.store %map, {%x, %x}, [%tile]
  ptx.ret
}

// -----

ptx.kernel @four_coordinates(%map : !ptx.tensor_map, %s : i32, %b : i32) {
  // CHECK: error[T5-PTX-055]: ptx.cp.async.bulk.tensor.gather4: number of coordinates of a copy of four rows must be 5; found 4
  ptx.cp.async.bulk.tensor.gather4 [%s], %map, {%s, %s, %s, %s}, [%b]
  ptx.ret
}

// -----

ptx.kernel @two_coordinates(%map : !ptx.tensor_map, %s : i32) {
  // CHECK: error[T5-PTX-055]: ptx.cp.async.bulk.tensor.scatter4: number of coordinates of a copy of four rows must be 5; found 2
  ptx.cp.async.bulk.tensor.scatter4 %map, {%s, %s}, [%s]
  ptx.ret
}

// -----

ptx.kernel @reduced_coordinates(%map : !ptx.tensor_map, %s : i32, %x : i32) {
  // CHECK: error[T5-PTX-050]: ptx.cp.reduce.async.bulk.tensor: number of coordinates of a tensor copy must be 1, 2, 3, 4 or 5; found 0
  ptx.cp.reduce.async.bulk.tensor add %map, {}, [%s]
  ptx.ret
}

// -----

ptx.kernel @reduced_elements(%map : !ptx.tensor_map<8x64xf32>, %s : i32, %x : i32) {
  // CHECK: error[T5-PTX-205]: ptx.cp.reduce.async.bulk.tensor: operation max needs element bf16, f16, s32, s64, u32 or u64; found f32
  ptx.cp.reduce.async.bulk.tensor max %map, {%x, %x}, [%s]
  ptx.ret
}
