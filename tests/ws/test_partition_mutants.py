"""Tests of mutants of kernels in the sequential form."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
import pytest

from tcgen05_dialect import Launch, Run, TensorMap, check_source, parse_module, simulate

from ..support.effort import SWEEP, sampled
from ..support.ws_attention import shared_bytes
from ..support.ws_sequential import Interpreter, mutants
from .test_partition import AHEAD, CHAINED, FLAT, SCHEDULES, TWO_READERS, matrix

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "extents", "blocks"),
    sampled(
        [
            pytest.param(CHAINED, ((128, 64), (256, 64), (256, 64)), 4, id="chained"),
            pytest.param(TWO_READERS, ((384, 64), (64, 64)), 3, id="two_readers"),
            pytest.param(AHEAD, ((128, 256), (64, 256)), 4, id="ahead"),
            pytest.param(FLAT, ((256, 192), (64, 192)), 2, id="flat"),
        ],
        1,
    ),
)
def test_mutants_are_refused_or_mean_the_same(
    text: str, extents: Sequence[tuple[int, int]], blocks: int
) -> None:
    """
    Kernels in which an operation is dropped, doubled or moved: they are refused, or
    their roles compute what one operation after the other does. Where that reads what nothing has
    written, the emulator says so.
    """
    inputs = [matrix(*each, seed) for seed, each in enumerate(extents)]
    rows = 128 * blocks if text in (TWO_READERS, FLAT) else 128
    counts = {"refused": 0, "run": 0}
    some = sampled(islice(mutants(parse_module(text)), 0, None, 3), 3)
    for number, mutant in enumerate(some):
        source = str(mutant)
        found = check_source(source)
        if found:
            assert all(each.rule.startswith("T5-WS-03") for each in found), source
            counts["refused"] += 1
            continue
        c, expected = np.zeros((rows, 64), np.float32), np.zeros((rows, 64))
        Interpreter(mutant, [*(each.astype(np.float64) for each in inputs), expected, blocks])
        boxes = (128, *(64 for _ in inputs[1:]))
        maps = [
            TensorMap.of(each, (64, height), swizzle="swizzle_128b")
            for each, height in zip(inputs, boxes, strict=True)
        ]
        launch = Launch((1,), dynamic_shared_memory=shared_bytes(source))
        report = simulate(source, [*maps, c, blocks], launch, Run(SCHEDULES[number % 2], 1))
        is_defined = not np.isnan(expected).any()
        assert not is_defined or (report.findings == () and np.array_equal(c, expected)), source
        counts["run"] += is_defined
    assert counts["run"]
    assert counts["refused"] or not SWEEP
