// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @barrier() {
  %c = ptx.constant 16 : i32
  // CHECK: error[T5-PTX-060]: ptx.bar.sync: number of a barrier must be 0, 1, ... 15; found 16
  ptx.bar.sync %c
  ptx.ret
}

// -----

ptx.kernel @negative_barrier(%n : i32) {
  %c = ptx.constant -1 : i32
  // CHECK: error[T5-PTX-060]: ptx.bar.arrive: number of a barrier must be 0, 1, ... 15; found 4294967295
  ptx.bar.arrive %c, %n
  ptx.ret
}

// -----

ptx.kernel @threads(%b : i32) {
  %c = ptx.constant 48 : i32
  // CHECK: error[T5-PTX-061]: ptx.bar.sync: threads of a barrier must be 32, 64, ... 1024; found 48
  ptx.bar.sync %b threads(%c)
  ptx.ret
}

// -----

ptx.kernel @no_threads(%b : i32) {
  %c = ptx.constant 0 : i32
  // CHECK: error[T5-PTX-061]: ptx.bar.arrive: threads of a barrier must be 32, 64, ... 1024; found 0
  ptx.bar.arrive %b, %c
  ptx.ret
}

// -----

ptx.kernel @too_many_threads(%b : i32) {
  %c = ptx.constant 1056 : i32
  // CHECK: error[T5-PTX-061]: ptx.bar.arrive: threads of a barrier must be 32, 64, ... 1024; found 1056
  ptx.bar.arrive %b, %c
  ptx.ret
}

// -----

ptx.kernel @registers() {
  // CHECK: error[T5-PTX-062]: ptx.setmaxnreg: registers of setmaxnreg must be 24, 32, ... 256; found 100
  ptx.setmaxnreg inc 100
  ptx.ret
}

// -----

ptx.kernel @few_registers() {
  // CHECK: error[T5-PTX-062]: ptx.setmaxnreg: registers of setmaxnreg must be 24, 32, ... 256; found 16
  ptx.setmaxnreg dec 16
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-249]: ptx.setmaxnreg: no thread has more than 168 registers; found dec 176
ptx.kernel @more_than_any_thread() attributes {maxnreg = 128 : i32} {
  ptx.setmaxnreg inc 168
  ptx.setmaxnreg dec 176
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-249]: ptx.setmaxnreg: the threads have 128 registers at the start, and no setmaxnreg.dec gives up any; found inc 168
// CHECK: help: let warps that need few registers give up, with setmaxnreg.dec, as many as the other warps take
ptx.kernel @nothing_given_up() attributes {minnctapersm = 1 : i32, reqntid = array<i32: 512>} {
  ptx.setmaxnreg inc 168
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-249]: ptx.setmaxnreg: 512 threads with 168 registers each at the start do not fit into a multiprocessor; at most 128 do
// CHECK: help: lower maxnreg to 128
ptx.kernel @too_many_at_the_start() attributes {maxnreg = 168 : i32, reqntid = array<i32: 512>} {
  ptx.setmaxnreg dec 40
  ptx.ret
}

// -----

ptx.kernel @many_registers() {
  // CHECK: error[T5-PTX-062]: ptx.setmaxnreg: registers of setmaxnreg must be 24, 32, ... 256; found 264
  ptx.setmaxnreg inc 264
  ptx.ret
}

// -----

ptx.kernel @proxy_space() {
  // CHECK: expected global, shared::cluster or shared::cta as a qualifier; found "shared"
  ptx.fence.proxy.async "shared"
  ptx.ret
}

// -----

ptx.kernel @generic_proxy_space() {
  // CHECK: error[T5-PTX-092]: ptx.fence.proxy.async: qualifier must be global, shared::cluster or shared::cta; found local
  "ptx.fence.proxy.async"() <{space = "local"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @fence_semantics() {
  // CHECK: expected cluster, cta, gpu or sys as scope
  ptx.fence relaxed gpu
  ptx.ret
}

// -----

ptx.kernel @fence_scope() {
  // CHECK: expected cluster, cta, gpu or sys as scope
  ptx.fence acq_rel system
  ptx.ret
}

// -----

ptx.kernel @fence_without_scope() {
  ptx.fence sc
  // CHECK: expected cluster, cta, gpu or sys as scope
  ptx.ret
}

// -----

ptx.kernel @arrive_semantics() {
  // CHECK: expected aligned, relaxed or release as a qualifier; found "acquire"
  ptx.barrier.cluster.arrive "acquire"
  ptx.ret
}

// -----

ptx.kernel @wait_semantics() {
  // CHECK: expected acquire or aligned as a qualifier; found "release"
  ptx.barrier.cluster.wait "release"
  ptx.ret
}

// -----

ptx.kernel @order() {
  // CHECK: expected the end of ptx.barrier.cluster.arrive; found relaxed
  ptx.barrier.cluster.arrive aligned "relaxed"
  ptx.ret
}

// -----

ptx.kernel @generic_wait_semantics() {
  // CHECK: error[T5-PTX-092]: ptx.barrier.cluster.wait: qualifier must be acquire; found relaxed
  "ptx.barrier.cluster.wait"() <{semantics = "relaxed"}> : () -> ()
  ptx.ret
}

// -----

ptx.kernel @shuffle(%x : i32) {
  // CHECK: expected bfly, down, idx or up as mode
  %v, %in = ptx.shfl.sync "xor" %x, %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @shuffled(%x : i32, %l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.shfl.sync: a: type of an operand or a result must be i32; found i64
  %v, %in = ptx.shfl.sync idx %l, %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @shuffled_float(%x : i32, %f : f32) {
  // CHECK: error[T5-PTX-080]: ptx.shfl.sync: a: type of an operand or a result must be i32; found f32
  %v, %in = ptx.shfl.sync idx %f, %x, %x, %x
  ptx.ret
}

// -----

ptx.kernel @elected(%x : i32) {
  // CHECK: error: ptx.elect.sync: Expected 2 results, but got 1
  %leader = ptx.elect.sync %x -> i32
  ptx.ret
}

// -----

ptx.kernel @elected_types(%x : i32) {
  // CHECK: error[T5-PTX-080]: ptx.elect.sync: elected: type of an operand or a result must be i1; found i32
  %leader, %elected = ptx.elect.sync %x -> i32, i32
  ptx.ret
}

// -----

ptx.kernel @mask(%x : i64) {
  // CHECK: error[T5-PTX-080]: ptx.bar.warp.sync: mask: type of an operand or a result must be i32; found i64
  ptx.bar.warp.sync %x
  ptx.ret
}

// -----

ptx.kernel @action() {
  // CHECK: expected dec or inc as action
  ptx.setmaxnreg set 24
  ptx.ret
}

// -----

ptx.kernel @no_number() {
  ptx.setmaxnreg inc
  // CHECK: expected an integer; found the end of the line
  ptx.ret
}

// -----

ptx.kernel @grid_action() {
  // CHECK: expected launch_dependents or wait as action
  ptx.griddepcontrol launch
  ptx.ret
}

// -----

ptx.kernel @duration(%l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.nanosleep: duration: type of an operand or a result must be i32; found i64
  ptx.nanosleep %l
  ptx.ret
}

// -----

ptx.kernel @threads_in_brackets(%n : i32) {
  // CHECK: expected '('; found %n
  ptx.bar.sync %n threads %n
  ptx.ret
}

// -----

ptx.kernel @threads_of_64_bits(%n : i32, %l : i64) {
  // CHECK: error[T5-PTX-080]: ptx.bar.sync: threads: type of an operand or a result must be i32; found i64
  ptx.bar.sync %n threads(%l)
  ptx.ret
}
