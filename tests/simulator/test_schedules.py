"""Tests of choices that only a schedule makes."""

import numpy as np
import pytest

from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, simulate

_ELECTED = """
ptx.kernel @k(%out : i64) attributes {reqntid = array<i32: 32>} {
  %all = arith.constant -1 : i32
  %c4 = arith.constant 4 : i32
  %first, %is_first = ptx.elect.sync %all
  %second, %is_second = ptx.elect.sync %all
  ptx.guard %is_first { ptx.st global b32 [%out], {%first} }
  ptx.guard %is_second { ptx.st global b32 [%out + 4], {%second} }
  ptx.ret
}
"""


@pytest.mark.parametrize("schedule", ["lazy", "eager", "random"])
def test_elected_lane(schedule: str) -> None:
    """A random schedule elects any lane of a mask, but always the same one."""
    found: set[int] = set()
    for seed in range(8):
        out = np.full(2, -1, np.int32)
        simulate(Source("k.mlir", _ELECTED), [out], Launch(), Run(schedule, seed))
        assert out[0] == out[1]
        found.add(int(out[0]))
    assert len(found) >= 4 if schedule == "random" else found == {0}
