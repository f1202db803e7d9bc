// The messages about a synchronisation that orders no accesses.

// RUN: printf 'grid = [2]' > %t.toml
// RUN: not tcgen05 sim %s --launch %t.toml --kernel narrow_scope | filecheck %s
// RUN: not tcgen05 sim %s --launch %t.toml --kernel relaxed | filecheck %s --check-prefix RELAXED
// CHECK: error[T5-SIM-014]: ptx.ld: @word in shared memory of CTA (0, 0, 0) was written by ptx.st of warp 0 of CTA (1, 0, 0), line {{[0-9]+}}, and their synchronisation orders no accesses: ptx.mbarrier.arrive.remote, line {{[0-9]+}}, has the scope of one CTA
// CHECK: help: give ptx.mbarrier.arrive.remote, line {{[0-9]+}}, the scope of the cluster
ptx.shared_memory @word size 4 alignment 4
ptx.shared_memory @written size 8 alignment 8
ptx.kernel @narrow_scope() attributes {cluster_dims = array<i32: 2, 1, 1>, reqntid = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %word = ptx.address_of @word
  %written = ptx.address_of @written
  %rank = ptx.special_register cluster_ctarank
  %is_first = arith.cmpi eq, %rank, %c0 : i32
  ptx.mbarrier.init [%written], %c1
  ptx.fence.mbarrier_init
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  scf.if %is_first {
    ptx.mbarrier.wait acquire cluster [%written], %c0
    %v = ptx.ld "shared::cta" b32 [%word] -> i32
  } else {
    %their_word = ptx.mapa %word, %c0
    %their_written = ptx.mapa %written, %c0
    ptx.st "shared::cluster" b32 [%their_word], {%c1}
    ptx.mbarrier.arrive.remote release cta [%their_written]
  }
  ptx.ret
}

// RELAXED: orders no accesses: ptx.barrier.cluster.arrive, line {{[0-9]+}}, is relaxed
// RELAXED: help: let ptx.barrier.cluster.arrive, line {{[0-9]+}}, release
ptx.kernel @relaxed() attributes {cluster_dims = array<i32: 2>, reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %word = ptx.address_of @word
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    ptx.st "shared::cta" b32 [%word], {%c0}
  }
  ptx.barrier.cluster.arrive relaxed
  ptx.barrier.cluster.wait
  %v = ptx.ld "shared::cta" b32 [%word] -> i32
  ptx.ret
}
