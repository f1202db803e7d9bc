"""Tests of addresses in the shared memory of other CTAs."""

import numpy as np

from tcgen05_dialect.simulator import Launch, simulate

KERNEL = """
ptx.shared_memory @word size 4 alignment 4
ptx.kernel @kernel(%out : i64) attributes {reqntid = array<i32: 1>, cluster_dims = array<i32: 2>} {
  %c1 = ptx.constant 1 : i32
  %c3 = ptx.constant 3 : i32
  %rank = ptx.special_register cluster_ctarank
  %other = ptx.sub u32 %c1, %rank
  %word = ptx.address_of @word
  %number = ptx.add u32 %rank, %c3
  ptx.st shared b32 [%word], {%number}
  ptx.barrier.cluster.arrive release
  ptx.barrier.cluster.wait acquire
  %wide = ptx.cvt u64 u32 %word
  %mine = ptx.cvta shared %wide
  %peer = ptx.mapa.generic %mine, %other
  %x = ptx.ld b32 [%peer] -> i32
  %owner = ptx.getctarank.generic %peer
  %narrow = ptx.mapa %word, %other
  %same = ptx.getctarank %narrow
  %c12 = ptx.constant 12 : i32
  %to = ptx.mad.wide u32 %rank, %c12, %out
  ptx.prefetch global L1 [%to]
  ptx.st global b32 [%to], {%x}
  ptx.st global b32 [%to + 4], {%owner}
  ptx.st global b32 [%to + 8], {%same}
  ptx.barrier.cluster.arrive release
  ptx.barrier.cluster.wait acquire
  ptx.ret
}
"""


def test_generic_addresses_of_another_cta() -> None:
    out = np.zeros(6, np.uint32)
    report = simulate(KERNEL, [out], Launch(grid=(2,)))
    assert report.findings == ()
    assert out.tolist() == [4, 1, 1, 3, 0, 0]
