// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @columns(%slot : i32) {
  %c96 = arith.constant 96 : i32
  // CHECK: error[T5-ALLOC-001]: tcgen05.alloc: number of columns must be 32, 64, 128, 256 or 512; found 96
  tcgen05.alloc %slot, %c96
  ptx.ret
}

// -----

ptx.kernel @columns_of_dealloc(%slot : i32) {
  %c1024 = arith.constant 1024 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x512xf32>
  // CHECK: error[T5-ALLOC-001]: tcgen05.dealloc: number of columns must be 32, 64, 128, 256 or 512; found 1024
  tcgen05.dealloc %d, %c1024 : !tcgen05.tmem<128x512xf32>
  ptx.ret
}

// -----

ptx.kernel @allocated_columns(%slot : i32) {
  // CHECK: error[T5-ALLOC-001]: tcgen05.load_address: number of columns must be 32, 64, 128, 256 or 512; found 48
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x48xf32>
  ptx.ret
}

// -----

ptx.kernel @allocated_lanes(%slot : i32) {
  // CHECK: error[T5-ALLOC-003]: tcgen05.load_address: number of lanes of an allocation must be 128; found 64
  %d = tcgen05.load_address %slot : !tcgen05.tmem<64x64xf32>
  ptx.ret
}

// -----

ptx.kernel @part(%slot : i32) {
  %c32 = arith.constant 32 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %half = tcgen05.slice %d[0, 32] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<128x32xf32>
  // CHECK: error[T5-ALLOC-004]: tcgen05.dealloc: argument of dealloc must be lane 0, column 0 of an allocation; found lane 0, column 32
  tcgen05.dealloc %half, %c32 : !tcgen05.tmem<128x32xf32>
  ptx.ret
}

// -----

ptx.kernel @other_columns(%slot : i32) {
  %c32 = arith.constant 32 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  // CHECK: error[T5-ALLOC-004]: tcgen05.dealloc: number of columns of dealloc must be 64, as in the allocation; found 32
  tcgen05.dealloc %d, %c32 : !tcgen05.tmem<128x64xf32>
  ptx.ret
}

// -----

ptx.kernel @group(%slot : i32, %columns : i32) {
  // CHECK: error[T5-CTA_GROUP-001]: tcgen05.alloc: cta_group must be 1 or 2; found 3
  tcgen05.alloc %slot, %columns {cta_group = 3 : i32}
  ptx.ret
}

// -----

ptx.kernel @generic_address(%slot : i64, %columns : i32) {
  // CHECK: has type i64, but is used here with type i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}

// -----

ptx.kernel @no_matrix(%slot : i32) {
  // CHECK: tcgen05.load_address: result 'address' at position 0 does not verify:
  // CHECK-NEXT: i32 should be of base attribute tcgen05.tmem
  %d = "tcgen05.load_address"(%slot) : (i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @corner(%slot : i32) {
  %c64 = arith.constant 64 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  %e = tcgen05.slice %d[0, 0] : !tcgen05.tmem<128x64xf32> to !tcgen05.tmem<32x32xf32>
  // CHECK: error[T5-ALLOC-004]: tcgen05.dealloc: argument of dealloc must be 128 lanes x 64 columns; found 32 lanes x 32 columns
  tcgen05.dealloc %e, %c64 : !tcgen05.tmem<32x32xf32>
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 2
ptx.kernel @slot_alignment() {
  %slot = ptx.address_of @slot
  %columns = arith.constant 64 : i32
  // CHECK: error[T5-ALLOC-005]: tcgen05.alloc: slot of alloc must be aligned to 4 bytes; found 0 bytes into @slot, which is aligned to 2
  tcgen05.alloc %slot, %columns
  ptx.ret
}

// -----

ptx.shared_memory @slot size 2 alignment 4
ptx.kernel @slot_size() {
  %slot = ptx.address_of @slot
  // CHECK: error[T5-ALLOC-005]: tcgen05.load_address: slot of alloc must be inside the 2 bytes of @slot; found 4 bytes at offset 0
  %t = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  ptx.ret
}

// -----

ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @swapped_variable() {
  %slot = ptx.address_of @slot
  %columns = arith.constant 64 : i32
  // CHECK: error[T5-ALLOC-001]: tcgen05.alloc: the operands look swapped: number of columns must be 32, 64, 128, 256 or 512; found the address of @slot
  tcgen05.alloc %columns, %slot
  ptx.ret
}

// -----

ptx.kernel @swapped_numbers() {
  %slot = arith.constant 0 : i32
  %columns = arith.constant 64 : i32
  // CHECK: error[T5-ALLOC-001]: tcgen05.alloc: the operands look swapped: number of columns must be 32, 64, 128, 256 or 512; found 0
  tcgen05.alloc %columns, %slot
  ptx.ret
}

// -----

ptx.kernel @swapped_slot(%slot : i32) {
  %columns = arith.constant 64 : i32
  // CHECK: error[T5-ALLOC-001]: tcgen05.alloc: the operands look swapped: number of columns must be 32, 64, 128, 256 or 512; found the slot of tcgen05.load_address
  tcgen05.alloc %columns, %slot
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x64xf32>
  ptx.ret
}

// -----

ptx.kernel @exclusive_columns(%slot : i32) {
  %c48 = arith.constant 48 : i32
  // CHECK: error[T5-ALLOC-007]: tcgen05.alloc: number of columns with .exclusive must be 32, 64, ... 576; found 48
  tcgen05.alloc exclusive %slot, %c48
  ptx.ret
}

// -----

ptx.kernel @exclusive_columns_of_dealloc(%slot : i32) {
  %c0 = arith.constant 0 : i32
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x96xf32>
  // CHECK: error[T5-ALLOC-007]: tcgen05.dealloc: number of columns with .exclusive must be 32, 64, ... 576; found 0
  tcgen05.dealloc exclusive %d, %c0 : !tcgen05.tmem<128x96xf32>
  ptx.ret
}

// -----

ptx.kernel @columns_without_exclusive(%slot : i32, %columns : i32) {
  tcgen05.alloc %slot, %columns
  // CHECK: error[T5-ALLOC-001]: tcgen05.load_address: number of columns must be 32, 64, 128, 256 or 512; found 96
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x96xf32>
  ptx.ret
}

// -----

module attributes {ptx.target = #ptx.target<"sm_103a", "9.3">} {
  ptx.kernel @exclusive_version(%slot : i32, %columns : i32) {
    // CHECK: error[T5-TARGET-041]: tcgen05.alloc: PTX version for alloc and dealloc with .exclusive on sm_103a must be 9.4 or later; found 9.3
    tcgen05.alloc exclusive %slot, %columns
    ptx.ret
  }
}
