"""
Tests that the emulator reads the rows of effects: with a wrong row, it judges a kernel of
`synchronization/` differently.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from tcgen05_dialect.isa.effects.model import (
    COPIED,
    LOADED,
    STORED,
    WRITTEN,
    Actor,
    Area,
    Choice,
    Effects,
    Ordering,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.effects.table import EFFECTS
from tcgen05_dialect.ptx import effects
from tcgen05_dialect.simulator.order import events

from ..support.headed_kernels import check_results, run, shown_by_run
from .test_pairs import launch_of, steps_of, text_of, warnings_of


@contextmanager
def wrong(name: str, row: Effects) -> Generator[None]:
    """Replace the row of an instruction."""
    caches: tuple[Any, ...] = vars(effects), vars(events)
    right = effects.EFFECTS
    try:
        effects.EFFECTS = {**right, name: row}
        _forget(caches)
        yield
    finally:
        effects.EFFECTS = right
        _forget(caches)


def _forget(namespaces: tuple[Any, ...]) -> None:
    for names in namespaces:
        for each in [*names.values()]:
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def changed(areas: tuple[Area, ...], space: StateSpace, **fields: object) -> tuple[Area, ...]:
    """Areas, those in one state space with other fields."""
    change: Any = fields
    return tuple(each._replace(**change) if each.space is space else each for each in areas)


def in_all(name: str, space: StateSpace, **fields: object) -> Effects:
    """The row of an instruction with other fields of its areas in one state space."""
    row = EFFECTS[name]
    return row._replace(
        reads=changed(row.reads, space, **fields), writes=changed(row.writes, space, **fields)
    )


def row(name: str, **fields: object) -> Effects:
    change: Any = fields
    return EFFECTS[name]._replace(**change)


_SWAPPED = Choice("operation", {"ld": (STORED,), "st": (LOADED,)})
_BACKWARDS = Choice(
    "order",
    {
        "before_thread_sync": (Ordering.AFTER_THREAD_SYNC,),
        "after_thread_sync": (Ordering.BEFORE_THREAD_SYNC,),
    },
)
FINDS_TOO_MUCH = [
    ("tcgen05.ld", in_all("tcgen05.ld", StateSpace.TENSOR, completion=STORED), "ld_st_reuse"),
    ("tcgen05.ld", in_all("tcgen05.ld", StateSpace.REGISTERS, completion=None), "ld_register"),
    ("tcgen05.st", in_all("tcgen05.st", StateSpace.TENSOR, completion=LOADED), "st_ld"),
    ("tcgen05.wait", row("tcgen05.wait", completes=_SWAPPED), "st_ld"),
    ("tcgen05.shift", in_all("tcgen05.shift", StateSpace.TENSOR, completion=LOADED), "shift"),
    ("tcgen05.commit", row("tcgen05.commit", tracks=(LOADED,)), "mma_ld"),
    ("tcgen05.fence", row("tcgen05.fence", orders=_BACKWARDS), "accumulator_ring"),
    ("mbarrier.arrive", row("mbarrier.arrive", orders=()), "mbarrier_arrive"),
    ("mbarrier.wait", row("mbarrier.wait", orders=()), "mbarrier_arrive"),
    ("mbarrier.arrive.remote", row("mbarrier.arrive.remote", scope="cta"), "pair_handshake"),
    ("fence.proxy.async", row("fence.proxy.async", orders=()), "tma_store"),
    ("fence.mbarrier_init", row("fence.mbarrier_init", orders=()), "remote_expect"),
    ("bar.sync", row("bar.sync", orders=()), "bar_sync"),
    ("bar.arrive", row("bar.arrive", orders=()), "bar_arrive"),
    ("bar.warp.sync", row("bar.warp.sync", orders=()), "warp_leaders"),
    ("barrier.cluster.arrive", row("barrier.cluster.arrive", orders=()), "remote_read"),
    ("barrier.cluster.wait", row("barrier.cluster.wait", orders=()), "remote_read"),
    (
        "cp.async.bulk.wait_group",
        row("cp.async.bulk.wait_group", completes=(WRITTEN,)),
        "tma_store_read",
    ),
    (
        "cp.async.bulk.tensor.store",
        in_all("cp.async.bulk.tensor.store", StateSpace.SHARED, completion=COPIED),
        "tma_store_ring",
    ),
]
"""Instruction, wrong row, and a right kernel in which the emulator then finds a mistake."""
JUDGES_DIFFERENTLY = [
    (
        "tcgen05.mma",
        in_all("tcgen05.mma", StateSpace.SHARED, proxy=Proxy.GENERIC),
        "generic_mma",
    ),
    (
        "tcgen05.cp",
        in_all("tcgen05.cp", StateSpace.SHARED, proxy=Proxy.GENERIC),
        "generic_cp",
    ),
    (
        "cp.async.bulk.tensor.store",
        in_all("cp.async.bulk.tensor.store", StateSpace.SHARED, proxy=Proxy.GENERIC),
        "tma_store",
    ),
    ("tcgen05.cp", row("tcgen05.cp", actor=Actor.THREAD), "generic_cp"),
    ("tcgen05.st", row("tcgen05.st", executed_by=Participants.EACH), "warp_collective"),
    ("elect.sync", row("elect.sync", orders=(Ordering.RELEASE, Ordering.ACQUIRE)), "tma_store"),
    (
        "mbarrier.arrive.remote",
        row("mbarrier.arrive.remote", orders=(Ordering.RELEASE,)),
        "scopes",
    ),
]
"""Instruction, wrong row, and a kernel of whose mistakes the emulator then judges one
differently."""


def rules(kernel: str, text: str) -> set[str]:
    """The rules of the findings in a run."""
    return shown_by_run(run(text, launch_of(kernel), "lazy", 0).findings)


def is_right(kernel: str) -> bool:
    """Whether a run finds no more than it should, and computes the right results."""
    launch = launch_of(kernel)
    if not shown_by_run(run(text_of(kernel), launch, "lazy", 0).findings) <= {*warnings_of(kernel)}:
        return False
    try:
        check_results(launch)
    except AssertionError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(("name", "row", "kernel"), FINDS_TOO_MUCH)
def test_right_kernel(name: str, row: Effects, kernel: str) -> None:
    with wrong(name, row):
        assert not is_right(kernel)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "row", "kernel"), JUDGES_DIFFERENTLY)
def test_wrong_kernel(name: str, row: Effects, kernel: str) -> None:
    mistakes = [step.text for step in steps_of(kernel).values()]
    for text in mistakes:
        found = rules(kernel, text)
        with wrong(name, row):
            if rules(kernel, text) != found:
                return
    pytest.fail("the mistakes are judged as with the right row")
