// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @ptx_215(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-215]: ptx.mbarrier.arrive_drop: semantics release needs scope cluster or cta; found none
  ptx.mbarrier.arrive_drop release [%b]
  ptx.ret
}

// -----

ptx.kernel @ptx_216(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-216]: ptx.mbarrier.arrive.no_complete: semantics release needs scope cta; found none
  %s = ptx.mbarrier.arrive.no_complete release [%b], %n
  ptx.ret
}

// -----

ptx.kernel @ptx_217(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-217]: ptx.mbarrier.complete_tx: semantics relaxed needs scope cluster or cta; found none
  ptx.mbarrier.complete_tx relaxed [%b], %n
  ptx.ret
}

// -----

ptx.kernel @ptx_218(%b : i32, %n : i32) {
  %s = ptx.mbarrier.arrive.state [%b]
  %t = ptx.mbarrier.arrive.no_complete [%b], %n
  // CHECK: error[T5-PTX-218]: ptx.mbarrier.pending_count: arrival whose state tells a pending count must be ptx.mbarrier.arrive.no_complete or ptx.mbarrier.arrive_drop.no_complete; found ptx.mbarrier.arrive.state
  %c = ptx.mbarrier.pending_count %s
  ptx.ret
}

// -----

ptx.kernel @ptx_042(%b : i32, %n : i32) {
  %zero = ptx.constant 0 : i32
  // CHECK: error[T5-PTX-042]: ptx.mbarrier.arrive_drop: count of arrivals must be 1, 2, ... 1048575; found 0
  ptx.mbarrier.arrive_drop [%b] count(%zero)
  ptx.ret
}

// -----

ptx.kernel @ptx_043(%b : i32, %n : i32) {
  %large = ptx.constant 1048576 : i32
  // CHECK: error[T5-PTX-043]: ptx.mbarrier.complete_tx: count of bytes must be 0, 1, ... 1048575; found 1048576
  ptx.mbarrier.complete_tx [%b], %large
  ptx.ret
}

// -----

ptx.kernel @ptx_043_6(%b : i32, %n : i32) {
  %large = ptx.constant 1048576 : i32
  // CHECK: error[T5-PTX-043]: ptx.mbarrier.arrive_drop.expect_tx: count of bytes must be 0, 1, ... 1048575; found 1048576
  ptx.mbarrier.arrive_drop.expect_tx [%b], %large
  ptx.ret
}

// -----

ptx.shared_memory @full size 8 alignment 8
ptx.kernel @ptx_045(%n : i32) {
  %full = ptx.address_of @full
  // CHECK: error[T5-PTX-045]: ptx.mbarrier.complete_tx: barrier object must be aligned to 8 bytes; found 4 bytes into @full, which is aligned to 8
  ptx.mbarrier.complete_tx [%full + 4], %n
  ptx.ret
}
