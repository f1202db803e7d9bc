"""Tests of wrong modules that text cannot describe: the verifier refuses them, without a crash."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, bf16, i32, i64

from tcgen05_dialect import check_source
from tcgen05_dialect.builder import Kernel, tile
from tcgen05_dialect.operations import ws


def word(kernel: Kernel) -> None:
    ring = kernel.ring("ring", 2, tile(64, 64, bf16))
    with kernel.warp_specialize(), kernel.role("load", 1) as load:
        ws.ProducerAcquireOp(ring, by=cast(Any, "tm"))  # wrong
        load.barrier()


def after_the_stage(kernel: Kernel) -> None:
    ring = kernel.ring("ring", 2, tile(64, 64, bf16))
    with kernel.warp_specialize(), kernel.role("role", 2) as role:
        with role.consume(ring, by="threads") as a:
            pass
        a.load(role.thread, 0, 8)  # wrong


def extents(kernel: Kernel) -> None:
    n = kernel.parameter("n")
    with kernel.warp_specialize([(n, 1)]), kernel.role("role", 1) as role:  # wrong
        role.barrier()
    op = kernel.op.body.block.last_op
    assert op is not None
    op.properties["extents"] = DenseArrayBase.from_list(i32, [1, 2])


def halves(kernel: Kernel) -> None:
    a_map = kernel.tensor_map("a_map", 64, 64, element=bf16)
    ring = kernel.ring("ring", 2, a_map.tile)
    with kernel.warp_specialize(pair=True), kernel.role("load", 1) as load:
        with load.produce(ring, by="tma") as a:
            ws.TmaLoadOp(a_map, a, [0, 1], halves=[1])  # wrong
        load.barrier()


def lost_index(kernel: Kernel) -> None:
    a_map = kernel.tensor_map("a_map", 64, 64, element=bf16)
    ring = kernel.ring("ring", 2, a_map.tile)
    with kernel.warp_specialize(), kernel.role("load", 1) as load:
        with load.produce(ring, by="tma") as a:
            op = ws.TmaLoadOp(a_map, a, [kernel.parameter("n"), 1])  # wrong
        load.barrier()
    op.static_indices = DenseArrayBase.from_list(i64, [DYNAMIC_INDEX] * 2)


CASES: list[tuple[Callable[[Kernel], None], str, str]] = [
    (word, "T5-WS-017", "the word after by must be tma, mma or threads; found tm"),
    (after_the_stage, "T5-PTX-100", "which is defined in another region"),
    (extents, "T5-WS-017", "must be one number; found 1, 2, 1"),
    (halves, "T5-WS-018", "the number of halves must be 2, one for each index; found 1"),
    (lost_index, "T5-WS-018", "the number of values among the indices must be 2; found 1"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_a_wrong_module_is_refused(case: tuple[Callable[[Kernel], None], str, str]) -> None:
    build, rule, message = case
    kernel = Kernel("kernel", cluster=[2])
    build(kernel)
    finding = next(each for each in check_source(kernel.module()) if each.rule == rule)
    assert message in finding.message
    assert finding.excerpt.splitlines()[0].endswith("# wrong")
