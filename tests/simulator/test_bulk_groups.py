"""Tests of bulk groups: which copies they contain, and what a wait for them orders."""

import numpy as np
import pytest

from tcgen05_dialect.isa.effects.model import WRITTEN
from tcgen05_dialect.reporting.diagnostics import OperationError
from tcgen05_dialect.simulator.machine.tensor_core import BulkGroups, BulkStore
from tcgen05_dialect.simulator.machine.tensor_map import TensorMap

from ..support.copy_bench import (
    GLOBAL,
    Bench,
)

OVERWRITE = """
  ptx.cp.async.bulk.tensor.store %map, {ORIGIN}, [%tile]
  ptx.cp.async.bulk.commit_group
  WAIT
  %value = ptx.constant 0 : i32
  ptx.st shared b32 [%tile], {%value}
"""


@pytest.mark.parametrize("wait", ["0", "read 0", "read 1", "", "1"])
def test_source_is_read_late(wait: str) -> None:
    """A thread that overwrites the source must know that it has been read."""
    array = np.zeros(4, "u4")
    bench = Bench(TensorMap.of(array, (4,)), kind="lazy")
    bench.fill_shared(np.full(4, 7, "u4").view(np.uint8))
    instruction = f"ptx.cp.async.bulk.wait_group {wait}" if wait else ""
    body = OVERWRITE.replace("WAIT", instruction)
    if wait.endswith("0"):
        bench.run(body, (0,))
        assert array.tolist() == [7, 7, 7, 7]
    else:
        with pytest.raises(OperationError, match=r"read by ptx.cp.async.*\[T5-SIM-014\]"):
            bench.run(body, (0,))


@pytest.mark.parametrize("wait", ["0", "read 0", "1"])
def test_destination_is_written_late(wait: str) -> None:
    """A thread that writes to the destination must know that the copy is complete."""
    array = np.zeros(4, "u4")
    bench = Bench(TensorMap.of(array, (4,)), kind="lazy")
    bench.fill_shared(np.full(4, 7, "u4").view(np.uint8))
    body = OVERWRITE.replace("constant 0 : i32", "constant 1 : i32\n  %to = GLOBAL")
    body = body.replace("GLOBAL", f"ptx.constant {GLOBAL} : i64")
    body = body.replace("WAIT", f"ptx.cp.async.bulk.wait_group {wait}")
    body = body.replace("shared b32 [%tile]", "global b32 [%to]")
    if wait == "0":
        bench.run(body, (0,))
        assert array.tolist() == [1, 7, 7, 7]
    else:
        with pytest.raises(OperationError, match=r"written by ptx.cp.async.*\[T5-SIM-014\]"):
            bench.run(body, (0,))


def test_bulk_groups() -> None:
    """All groups of a lane count, including empty ones."""
    groups = BulkGroups()
    stores = [BulkStore() for _ in range(3)]
    groups.add(0, stores[0])
    groups.commit(0)
    groups.commit(0)
    groups.add(0, stores[1])
    groups.commit(0)
    groups.add(0, stores[2])
    assert list(groups.before(0, 0)) == stores[:2]
    assert list(groups.before(0, 1)) == list(groups.before(0, 2)) == stores[:1]
    assert not list(groups.before(0, 3)) and not list(groups.before(1, 0))
    stores[0].reached.add(WRITTEN)
    groups.commit(0)
    assert list(groups.before(0, 0)) == stores[1:]
    assert list(groups.before(0, 1)) == stores[1:2]
