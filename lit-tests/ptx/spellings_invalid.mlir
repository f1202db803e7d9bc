// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @used_result(%x : i32, %mask : i32, %out : i64) {
  // CHECK: error[T5-PTX-097]: ptx.shfl.sync: spelling of the instruction must be one that shows in_range; found in_range with the spelling no_predicate
  %d, %in_range = ptx.shfl.sync idx %x, %x, %mask, %mask {spelling = "no_predicate"}
  %chosen = ptx.selp b32 %d, %x, %in_range
  ptx.ret
}

// -----

ptx.kernel @operand(%map : !ptx.tensor_map, %s : i32, %b : i32, %mask : i16) {
  // CHECK: error[T5-PTX-097]: ptx.cp.async.bulk.tensor.load: spelling of the instruction must be one that shows multicast_mask; found multicast_mask with the spelling shared::cta
  ptx.cp.async.bulk.tensor.load multicast_mask(%mask) [%s], %map, {%s}, [%b] {spelling = "shared::cta"}
  ptx.ret
}

// -----

ptx.kernel @unknown(%n : i32) {
  // CHECK: error[T5-PTX-092]: ptx.bar.sync: qualifier must be bar_cta, barrier, barrier_aligned, barrier_cta or barrier_cta_aligned; found cta
  ptx.bar.sync %n {spelling = "cta"}
  ptx.ret
}

// -----

ptx.kernel @used_sink(%wide : i64, %out : i64) {
  // CHECK: error[T5-PTX-097]: ptx.unpack: sink must be the index of a result that is not used; found 1
  %parts:2 = ptx.unpack b64 %wide {sinks = array<i32: 1>} -> 2 x i32
  ptx.st global b32 [%out], {%parts#1}
  ptx.ret
}

// -----

ptx.kernel @no_such_sink(%wide : i64) {
  // CHECK: error[T5-PTX-097]: ptx.unpack: sink must be the index of a result that is not used; found 2
  %parts:2 = ptx.unpack b64 %wide {sinks = array<i32: 2>} -> 2 x i32
  ptx.ret
}
