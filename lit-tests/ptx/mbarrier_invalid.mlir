// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @no_arrivals(%b : i32) {
  %c0 = ptx.constant 0 : i32
  // CHECK: error[T5-PTX-042]: ptx.mbarrier.init: count of arrivals must be 1, 2, ... 1048575; found 0
  ptx.mbarrier.init [%b], %c0
  ptx.ret
}

// -----

ptx.kernel @arrivals(%b : i32) {
  %c = ptx.constant 1048576 : i32
  // CHECK: error[T5-PTX-042]: ptx.mbarrier.init: count of arrivals must be 1, 2, ... 1048575; found 1048576
  ptx.mbarrier.init [%b], %c
  ptx.ret
}

// -----

ptx.kernel @negative(%b : i32) {
  %c = ptx.constant -1 : i32
  // CHECK: error[T5-PTX-042]: ptx.mbarrier.init: count of arrivals must be 1, 2, ... 1048575; found 4294967295
  ptx.mbarrier.init [%b], %c
  ptx.ret
}

// -----

ptx.kernel @bytes(%b : i32) {
  %c = ptx.constant 1048576 : i32
  // CHECK: error[T5-PTX-043]: ptx.mbarrier.expect_tx: count of bytes must be 0, 1, ... 1048575; found 1048576
  ptx.mbarrier.expect_tx [%b], %c
  ptx.ret
}

// -----

ptx.kernel @bytes_of_an_arrival(%b : i32) {
  %c = ptx.constant -16 : i32
  // CHECK: error[T5-PTX-043]: ptx.mbarrier.arrive.expect_tx: count of bytes must be 0, 1, ... 1048575; found 4294967280
  ptx.mbarrier.arrive.expect_tx [%b], %c
  ptx.ret
}

// -----

ptx.kernel @semantics_without_scope(%b : i32) {
  // CHECK: error[T5-PTX-040]: ptx.mbarrier.arrive: semantics release needs scope cluster or cta; found none
  ptx.mbarrier.arrive release [%b]
  ptx.ret
}

// -----

ptx.kernel @scope_without_semantics(%b : i32) {
  // CHECK: error[T5-PTX-040]: ptx.mbarrier.arrive.remote: without semantics, scope must be left out; found cluster
  ptx.mbarrier.arrive.remote cluster [%b]
  ptx.ret
}

// -----

ptx.kernel @expect_tx_without_scope(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-040]: ptx.mbarrier.arrive.expect_tx: semantics relaxed needs scope cluster or cta; found none
  ptx.mbarrier.arrive.expect_tx relaxed [%b], %n
  ptx.ret
}

// -----

ptx.kernel @semantics_of_an_arrival(%b : i32) {
  // CHECK: expected cluster, cta, relaxed or release as a qualifier; found "acquire"
  ptx.mbarrier.arrive "acquire" cta [%b]
  ptx.ret
}

// -----

ptx.kernel @scope(%b : i32) {
  // CHECK: expected cluster, cta, relaxed or release as a qualifier; found "gpu"
  ptx.mbarrier.arrive release "gpu" [%b]
  ptx.ret
}

// -----

ptx.kernel @generic_scope(%b : i32) {
  // CHECK: error[T5-PTX-092]: ptx.mbarrier.arrive: qualifier must be cluster or cta; found sys
  "ptx.mbarrier.arrive"(%b) <{semantics = "release", scope = "sys"}> : (i32) -> ()
  ptx.ret
}

// -----

ptx.kernel @try_wait_without_scope(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-041]: ptx.mbarrier.try_wait.parity: semantics acquire needs scope cluster or cta; found none
  %done = ptx.mbarrier.try_wait.parity acquire [%b], %n
  ptx.ret
}

// -----

ptx.kernel @try_wait_parity(%b : i32) {
  %c = ptx.constant 2 : i32
  // CHECK: error[T5-PTX-044]: ptx.mbarrier.try_wait.parity: parity of a phase must be 0 or 1; found 2
  %done = ptx.mbarrier.try_wait.parity [%b], %c
  ptx.ret
}

// -----

ptx.kernel @wait_without_semantics(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-041]: ptx.mbarrier.wait: without semantics, scope must be left out; found cluster
  ptx.mbarrier.wait cluster [%b], %n
  ptx.ret
}

// -----

ptx.kernel @wait_parity(%b : i32) {
  %c = ptx.constant -1 : i32
  // CHECK: error[T5-PTX-044]: ptx.mbarrier.wait: parity of a phase must be 0 or 1; found 4294967295
  ptx.mbarrier.wait [%b], %c
  ptx.ret
}

// -----

ptx.kernel @known_by_arith(%b : i32) {
  %c = arith.constant 7 : i32
  // CHECK: error[T5-PTX-044]: ptx.mbarrier.wait: parity of a phase must be 0 or 1; found 7
  ptx.mbarrier.wait [%b], %c
  ptx.ret
}

// -----

ptx.kernel @generic_address(%b : i64) {
  // CHECK: error[T5-PTX-080]: ptx.mbarrier.inval: address: type of an operand or a result must be i32; found i64
  ptx.mbarrier.inval [%b]
  ptx.ret
}

// -----

ptx.kernel @shared_address(%b : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mbarrier.inval: PTX operand address as a generic address must be i64; found i32
  ptx.mbarrier.inval [%b] {spelling = "generic"}
  ptx.ret
}

// -----

ptx.kernel @generic_address_of_a_wait(%b : i64, %n : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mbarrier.wait: address: type of an operand or a result must be i32; found i64
  ptx.mbarrier.wait [%b], %n
  ptx.ret
}

// -----

ptx.kernel @count_type(%b : i32, %n : i64) {
  // CHECK: error[T5-PTX-080]: ptx.mbarrier.init: count: type of an operand or a result must be i32; found i64
  ptx.mbarrier.init [%b], %n
  ptx.ret
}

// -----

ptx.kernel @result_type(%b : i32, %n : i32) {
  // CHECK: error[T5-PTX-080]: ptx.mbarrier.try_wait.parity: done: type of an operand or a result must be i1; found i32
  %done = ptx.mbarrier.try_wait.parity [%b], %n -> i32
  ptx.ret
}

// -----

ptx.kernel @no_count(%b : i32) {
  ptx.mbarrier.init [%b]
  // CHECK: expected ','; found the end of the line
  ptx.ret
}

// -----

ptx.kernel @no_brackets(%b : i32, %n : i32) {
  // CHECK: expected '['; found %b
  ptx.mbarrier.init %b, %n
  ptx.ret
}

// -----

ptx.shared_memory @barrier size 8 alignment 4
ptx.kernel @alignment(%n : i32) {
  %barrier = ptx.address_of @barrier
  // CHECK: error[T5-PTX-045]: ptx.mbarrier.init: barrier object must be aligned to 8 bytes; found 0 bytes into @barrier, which is aligned to 4
  ptx.mbarrier.init [%barrier], %n
  ptx.ret
}

// -----

ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @behind_the_variable(%n : i32) {
  %barrier = ptx.address_of @barrier
  // CHECK: error[T5-PTX-045]: ptx.mbarrier.init: barrier object must be inside the 8 bytes of @barrier; found 8 bytes at offset 8
  ptx.mbarrier.init [%barrier + 8], %n
  ptx.ret
}

// -----

ptx.kernel @constant_address(%n : i32) {
  %barrier = ptx.constant 12 : i32
  // CHECK: error[T5-PTX-045]: ptx.mbarrier.init: barrier object must be aligned to 8 bytes; found 12
  ptx.mbarrier.init [%barrier], %n
  ptx.ret
}
