"""Tests of the race detector between clusters, which nothing orders."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate
from tcgen05_dialect.simulator.settings import SCHEDULES

KERNEL = """
ptx.shared_memory @tile size 256 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @kernel(%map : !ptx.tensor_map, %a : i64, %writer : i32)
    attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %bytes = ptx.constant 256 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  %cta = ptx.special_register ctaid.x
  %writes = ptx.setp eq u32 %cta, %writer
  ptx.guard %writes {
    ptx.st global b32 [%a], {%c1}
  }
  ptx.ret
}
"""
CTAS = 3


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("writer", range(CTAS + 1))
def test_copies_of_every_cluster_are_known(schedule: str, writer: int) -> None:
    a = np.zeros((1, 64), np.uint32)
    arguments = [TensorMap.of(a, (64, 1)), a, writer]
    report = simulate(KERNEL, arguments, Launch(grid=(CTAS,)), Run(schedule))
    rules = {finding.rule for finding in report.findings}
    assert rules == ({"T5-SIM-014"} if writer < CTAS else set())
