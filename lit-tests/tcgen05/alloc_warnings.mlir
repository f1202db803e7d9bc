// RUN: tcgen05 check --verify=off %s | filecheck %s
// RUN: tcgen05 compile --verify=off %s -o %t.ptx 2>&1 | filecheck %s
// RUN: tcgen05 check --verify=off %t.ptx | filecheck %s --check-prefix PTX

// The permit to allocate tensor memory, which a CTA should not hold while others may wait for it.

ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @large size 120000 alignment 4

// CHECK: :17:3: warning[T5-ALLOC-006]: tcgen05.alloc: no relinquish_alloc_permit follows: another CTA of the kernel on the multiprocessor waits in alloc until this CTA ends, although 384 columns are free; kernels with one CTA on each multiprocessor may hold the permit until they end
// CHECK: help: execute tcgen05.relinquish_alloc_permit after the last alloc
// PTX: warning[T5-ALLOC-006]: tcgen05.alloc: no relinquish_alloc_permit follows
ptx.kernel @held(%out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 64 : i32
  tcgen05.alloc %slot, %columns
  tcgen05.alloc %slot, %columns
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  ptx.ret
}

// CHECK: warning[T5-ALLOC-006]
// PTX: warning[T5-ALLOC-006]
ptx.kernel @in_a_cluster() attributes {reqntid = array<i32: 32>, cluster_dims = array<i32: 2>} {
  %slot = ptx.address_of @slot
  %columns = ptx.constant 32 : i32
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  ptx.ret
}

// CHECK-NOT: warning[
// PTX-NOT: warning[
ptx.kernel @relinquished(%out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  tcgen05.relinquish_alloc_permit
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  ptx.ret
}

ptx.kernel @for_one_cta() attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  ptx.ret
}

ptx.kernel @most_columns(%out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 512 : i32
  tcgen05.alloc %slot, %columns
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  ptx.ret
}

ptx.kernel @most_registers(%out : i64) attributes {reqntid = array<i32: 256>, maxnreg = 168 : i32} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  ptx.setmaxnreg dec 24
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  ptx.ret
}

ptx.kernel @most_shared_memory(%out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %large = ptx.address_of @large
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  %cta = ptx.special_register ctaid.x
  ptx.st "shared::cta" b32 [%large], {%cta}
  ptx.ret
}

ptx.kernel @one_cta_is_enough(%out : i64) attributes {reqntid = array<i32: 32>, minnctapersm = 1 : i32} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 128 : i32
  tcgen05.alloc %slot, %columns
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  ptx.ret
}

ptx.kernel @unknown_columns(%columns : i32, %out : i64) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  tcgen05.alloc %slot, %columns
  %cta = ptx.special_register ctaid.x
  ptx.st global b32 [%out], {%cta}
  ptx.ret
}
