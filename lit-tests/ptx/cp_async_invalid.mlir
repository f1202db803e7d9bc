// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @size(%a : i32, %from : i64) {
  // CHECK: error[T5-PTX-053]: ptx.cp.async: cache cg needs size 16; found 8
  ptx.cp.async cg [%a], [%from], 8
  ptx.ret
}

// -----

ptx.kernel @odd_size(%a : i32, %from : i64) {
  // CHECK: error[T5-PTX-053]: ptx.cp.async: size must be 4, 8 or 16; found 12
  ptx.cp.async ca [%a], [%from], 12
  ptx.ret
}

// -----

ptx.shared_memory @tile size 64 alignment 8
ptx.kernel @alignment(%from : i64) {
  %tile = ptx.address_of @tile
  // CHECK: error[T5-PTX-083]: ptx.cp.async: accessed address must be aligned to 16 bytes; found 0 bytes into @tile, which is aligned to 8
  ptx.cp.async cg [%tile], [%from], 16
  ptx.ret
}

// -----

ptx.kernel @source(%a : i32) {
  // CHECK: error[T5-PTX-080]: ptx.cp.async: source: type of an operand or a result must be i64; found i32
  ptx.cp.async cg [%a], [%a], 16
  ptx.ret
}

// -----

ptx.kernel @pending() {
  // CHECK: error[T5-PTX-054]: ptx.cp.async.wait_group: number of groups of copies left pending must be 0, 1, ... 2147483647; found -1
  ptx.cp.async.wait_group -1
  ptx.ret
}

// -----

ptx.shared_memory @bar size 4 alignment 8
ptx.kernel @barrier() {
  %bar = ptx.address_of @bar
  // CHECK: error[T5-PTX-045]: ptx.cp.async.mbarrier.arrive: barrier object must be inside the 4 bytes of @bar; found 8 bytes at offset 0
  ptx.cp.async.mbarrier.arrive noinc [%bar]
  ptx.ret
}
