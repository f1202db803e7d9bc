// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// A number of another type is shown as it must be written.

ptx.kernel @declarative(%slot : i32, %columns : i32) {
  // CHECK: error[T5-PTX-105]: tcgen05.alloc: cta_group must be a number, such as 2 : i32; found 2 : i64
  tcgen05.alloc %slot, %columns {cta_group = 2}
  ptx.ret
}

// -----

ptx.kernel @generic(%slot : i32, %columns : i32) {
  // CHECK: error[T5-PTX-105]: tcgen05.alloc: cta_group must be a number, such as 2 : i32; found 2 : i64
  "tcgen05.alloc"(%slot, %columns) <{cta_group = 2}> : (i32, i32) -> ()
  ptx.ret
}

// -----

ptx.kernel @no_number(%slot : i32, %columns : i32) {
  // CHECK: error[T5-PTX-105]: tcgen05.alloc: cta_group must be a number, such as 1 : i32; found "2"
  tcgen05.alloc %slot, %columns {cta_group = "2"}
  ptx.ret
}

// -----

ptx.kernel @ptx(%address : i32) {
  // CHECK: error[T5-PTX-105]: ptx.mbarrier.inval: address_offset must be a number, such as 8 : i32; found 8 : i64
  "ptx.mbarrier.inval"(%address) <{address_offset = 8}> : (i32) -> ()
  ptx.ret
}
