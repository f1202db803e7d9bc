"""Tests of the parts of a warp, against a partition into sets."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from xdsl.ir import Operation

from tcgen05_dialect.ptx.control_flow import BraOp
from tcgen05_dialect.simulator.machine.state import Parts

LANES = range(32)
Partition = list[frozenset[int]]


def mask(lanes: frozenset[int]) -> npt.NDArray[np.bool_]:
    return np.isin(np.arange(32), list(lanes))


def drawn(random: Random, most: int) -> frozenset[int]:
    return frozenset(random.sample(LANES, random.randint(1, most)))


def brought_together(partition: Partition, lanes: frozenset[int]) -> Partition:
    met = frozenset[int]().union(*(part for part in partition if part & lanes))
    return [part for part in partition if not part & lanes] + [met]


def separated(partition: Partition, lanes: frozenset[int], taken: frozenset[int]) -> Partition:
    ways = [way for part in partition for way in (part - lanes, part & lanes & taken)]
    ways += [part & lanes - taken for part in partition]
    return [way for way in ways if way]


@pytest.mark.parametrize("seed", range(20))
def test_random_steps(seed: int) -> None:
    random, parts, partition = Random(seed), Parts(), [frozenset(LANES)]
    branches: dict[Operation, frozenset[int]] = {}
    for _ in range(40):
        if random.random() < 0.3:
            lanes = drawn(random, 6)
            parts.bring_together(mask(lanes))
            partition = brought_together(partition, lanes)
        else:
            # A branch separates whole parts only: their other lanes run elsewhere.
            lanes = frozenset[int]().union(*random.sample(partition, 1 + len(partition) // 2))
            taken = drawn(random, 32)
            branches[branch := BraOp.create()] = lanes
            parts.separate(mask(lanes), mask(taken), branch)
            partition = separated(partition, lanes, taken)
        lanes = drawn(random, 32)
        expected = {part & lanes for part in partition} - {frozenset()}
        found = [frozenset(np.flatnonzero(each).tolist()) for each in parts.of(mask(lanes))]
        assert len(found) == len(expected) and set(found) == expected
        branch = parts.branch(mask(lanes))
        assert (branch is None) == (len(found) == 1)
        assert branch is None or branches[branch] & lanes
