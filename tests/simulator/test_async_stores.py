"""Tests of asynchronous stores and reductions by threads, against numpy."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, simulate

KERNEL = """
ptx.shared_memory @cells size 256 alignment 16
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @kernel(%out : i64)
    attributes {reqntid = array<i32: 32>, cluster_dims = array<i32: 2>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c8 = ptx.constant 8 : i32
  %c256 = ptx.constant 256 : i32
  %size = ptx.constant 256 : i64
  %bytes = ptx.constant BYTES : i32
  %cells = ptx.address_of @cells
  %full = ptx.address_of @full
  %lane = ptx.special_register tid.x
  %rank = ptx.special_register cluster_ctarank
  %first = ptx.setp eq u32 %lane, %c0
  %peer = ptx.xor b32 %rank, %c1
  %own = ptx.mad u32 %lane, %c8, %cells
  %place = ptx.mapa %PLACE, %peer
  %barrier = ptx.mapa %full, %peer
  %tag = ptx.mad u32 %rank, %c256, %lane
  %more = ptx.add u32 %tag, %c1
  %rows = ptx.mad u32 %rank, %c256, %own
  ptx.guard %first {
    ptx.mbarrier.init [%full], %c1
  }
  ptx.guard %first {
    ptx.fence.mbarrier_init
  }
  ptx.guard %first {
    ptx.mbarrier.arrive.expect_tx [%full], %bytes
  }
  ptx.guard %first {
    ptx.st.bulk [%cells], %size
  }
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  STORE
  ptx.mbarrier.wait [%full], %c0
  %values:2 = ptx.ld "shared::cta" b32 [%own] -> 2 x i32
  %distance = ptx.mad u32 %rank, %c256, %c0
  %at = ptx.mad u32 %lane, %c8, %distance
  %to = ptx.mad.wide u32 %at, %c1, %out
  ptx.st global b32 [%to], {%values#0, %values#1}
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.ret
}
"""
STORE = "ptx.st.async b32 [%place], {%tag, %more}, [%barrier]"
ADD = "ptx.red.async add u32 [%place], %more, [%barrier]"


def kernel(store: str = STORE, place: str = "own", size: int = 256) -> str:
    text = KERNEL.replace("STORE", store).replace("PLACE", place)
    return text.replace("BYTES", str(size))


def run(text: str, **options: Any) -> tuple[list[str], Any]:
    out = np.zeros((2, 32, 2), np.uint32)
    findings = simulate(text, [out], Launch(grid=(2,)), **options).findings
    return [str(each.rule) for each in findings], out


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_stores_to_the_other_cta(schedule: str) -> None:
    rules, out = run(kernel(), run=Run(schedule))
    assert rules == []
    tags = np.arange(32) + np.array([[256], [0]])
    assert (out == np.stack((tags, tags + 1), -1)).all()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_reductions_of_all_lanes(schedule: str) -> None:
    rules, out = run(kernel(ADD, "cells", 128), run=Run(schedule))
    assert rules == []
    expected = np.zeros((2, 32, 2), np.uint32)
    expected[:, 0, 0] = [sum(range(257, 289)), sum(range(1, 33))]
    assert (out == expected).all()


def test_stores_of_all_lanes_to_one_place_race() -> None:
    assert run(kernel(place="cells"))[0] == ["T5-SIM-014"]


def test_a_lost_wait_is_a_race() -> None:
    assert run(kernel().replace("ptx.mbarrier.wait [%full], %c0", ""))[0] == ["T5-SIM-014"]


def test_the_barrier_object_is_where_the_store_goes() -> None:
    assert run(kernel(STORE.replace("%barrier", "%full")))[0] == ["T5-SIM-008"]


ALONE = """
ptx.shared_memory @cells size 64 alignment 16
ptx.kernel @kernel(%size : i64, %out : i64) attributes {reqntid = array<i32: 1>} {
  %cells = ptx.address_of @cells
  %x = ptx.constant -1 : i64
  ptx.st "shared::cta" b64 [%cells + 16], {%x}
  ptx.st.bulk [%cells + 16], %size
  %v = ptx.ld "shared::cta" b64 [%cells + 16] -> i64
  ptx.st.async.global release gpu global b64 [%out], %v
  ptx.red.async.global release gpu global add u64 [%out + 8], %x
  ptx.ret
}
"""


@pytest.mark.parametrize(("size", "rule"), [(0, ""), (48, ""), (12, "T5-PTX-223")])
def test_zeros_and_stores_to_global_memory(size: int, rule: str) -> None:
    out = np.array([7, 7], np.int64)
    text = f'builtin.module attributes {{ptx.target = #ptx.target<"sm_100a", "8.7">}} {{{ALONE}}}'
    findings = simulate(text, [size, out]).findings
    assert [str(each.rule) for each in findings] == ([rule] if rule else [])
    if not rule:
        assert out.tolist() == [0 if size else -1, 6]


def test_zeros_are_inside_a_variable() -> None:
    text = f'builtin.module attributes {{ptx.target = #ptx.target<"sm_100a", "8.7">}} {{{ALONE}}}'
    (finding,) = simulate(text, [56, np.zeros(2, np.int64)]).findings
    assert finding.rule == "T5-PTX-084"
