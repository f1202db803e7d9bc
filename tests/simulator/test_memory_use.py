"""Tests of the memory that a run takes, and gives back without Python's garbage collector."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from tcgen05_dialect.compiler import without_garbage_collection
from tcgen05_dialect.isa.practice import BOUNDS
from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, simulate
from tcgen05_dialect.simulator.launch import clusters
from tcgen05_dialect.simulator.launch.arrays import FILLS
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.simulator.order.clocks import Clock, Clocks

from ..support.launches import read
from ..support.many_inputs import resident_bytes, virtual_bytes

SHARED_BYTES = 1 << 16
KERNEL = """
ptx.shared_memory @numbers size 65536 alignment 16
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @kernel(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %columns = ptx.constant 32 : i32
  %numbers = ptx.address_of @numbers
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %offset = ptx.shl b32 %lane, %c2
  %at = ptx.add s32 %numbers, %offset
  %to = ptx.mad.wide u32 %lane, %c4, %out
  ptx.st "shared::cta" b32 [%at], {%lane}
  %x = ptx.ld "shared::cta" b32 [%at] -> i32
  %y = ptx.ld global b32 [%to] -> i32
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %tensor = ptx.ld "shared::cta" b32 [%slot] -> i32
  MISTAKE
  ptx.tcgen05.dealloc cta_group_1 %tensor, %columns
  ptx.ret
}
"""
OUT_OF_BOUNDS = "ptx.st global b32 [%to + 65536], {%lane}"
RUNS = 4


def _run(mistake: str, grid: int, schedule: str = "eager") -> None:
    kernel = KERNEL.replace("MISTAKE", mistake)
    report = simulate(kernel, [np.zeros(32, np.uint32)], Launch((grid,)), Run(schedule))
    assert len(report.findings) == (mistake != "")


def _peak(run: Callable[[], None]) -> int:
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.slow
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("mistake", ["", OUT_OF_BOUNDS], ids=["right", "wrong"])
def test_a_run_gives_its_memory_back(mistake: str, schedule: str) -> None:
    with without_garbage_collection():
        _run(mistake, 2, schedule)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(RUNS):
            _run(mistake, 2, schedule)
        growth = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
    # Only the IR stays until the next collection.
    assert growth / RUNS < 2 * SHARED_BYTES


@pytest.mark.slow
def test_memory_is_that_of_the_resident_ctas(monkeypatch: pytest.MonkeyPatch) -> None:
    resident = 16
    monkeypatch.setattr(clusters, "MULTIPROCESSORS", resident)
    with without_garbage_collection():
        _run("", 1)
        half, whole, double = (
            _peak(lambda grid=grid: _run("", grid))
            for grid in (resident // 2, resident, 2 * resident)
        )
    assert whole < 2.2 * half
    assert double < 1.1 * whole


def test_clocks_take_memory_for_what_they_count() -> None:
    threads = 2048
    rows, before = np.arange(threads), resident_bytes()
    clocks = Clocks(1, threads)
    clocks.acquire(rows, clocks.release(rows))
    for component in range(1000):
        clocks.component(component)
    clocks.acquire(rows, clocks.release(rows))
    assert clocks.known(rows, Clock.SEEN)[:threads].min() > 0
    # The lanes of a warp that meet know the same.
    assert resident_bytes() - before < Clocks.bytes_for(threads) // 8


def test_a_run_that_ends_in_an_error_frees_its_clocks() -> None:
    kernel = KERNEL.replace("32, 1, 1", "1024, 1, 1").replace("MISTAKE", OUT_OF_BOUNDS)
    clocks = Clocks.bytes_for(1024)

    def run() -> None:
        report = simulate(kernel, [np.zeros(1024, np.uint32)], Launch((4,)))
        assert [each.rule for each in report.findings] == [BOUNDS.id]

    with without_garbage_collection():
        run()
        before = virtual_bytes()
        run()
        run()
        assert virtual_bytes() - before < clocks


@pytest.mark.parametrize("fill", FILLS)
def test_arrays_and_their_comparison_take_little_more_than_the_arrays(fill: str) -> None:
    size = 1 << 21

    def compare() -> None:
        array = {"shape": [size], "type": "u8", "fill": fill}
        launch = read(None, {"arrays": {"a": array}, "expected": {"a": 100}})
        (difference,) = launch.differences()
        assert difference.elements == size

    assert _peak(compare) < 5 * size


@pytest.mark.parametrize("expected", ["a + 0", " + ".join(["a * 1"] * 9), "repeat(a, 64)"])
def test_expressions_take_limited_memory(expected: str) -> None:
    launch = {"arrays": {"a": {"shape": [1 << 21], "type": "u8"}}, "expected": {"a": expected}}
    if expected == "a + 0":
        read(None, launch)
        return
    with pytest.raises(LaunchError, match=r"too large|more than \d+ elements in all"):
        read(None, launch)
