"""Tests of dominance, against its definition, and of its linear cost."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import test as operations
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Region, SSAValue

from tcgen05_dialect.ptx.analysis.control_flow import Dominance, check_dominance
from tcgen05_dialect.reporting.diagnostics import OperationError

from ..support.effort import sampled
from ..support.timing import seconds_of

GRAPHS = st.integers(1, 9).flatmap(
    lambda count: st.lists(
        st.lists(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count
    )
)
"""For each block, the blocks that it may branch to."""


def _region(graph: list[list[int]]) -> tuple[Region, list[Block]]:
    blocks = [Block() for _ in graph]
    for block, successors in zip(blocks, graph, strict=True):
        block.add_op(operations.TestTermOp(successors=[blocks[index] for index in successors]))
    return Region(blocks), blocks


def _reachable(graph: list[list[int]], without: int | None = None) -> set[int]:
    """The blocks that the first one reaches, along paths that avoid a block."""
    found: set[int] = set()
    stack = [0]
    while stack:
        block = stack.pop()
        if block not in found and block != without:
            found.add(block)
            stack.extend(graph[block])
    return found


@given(GRAPHS)
def test_against_the_definition(graph: list[list[int]]) -> None:
    region, blocks = _region(graph)
    dominance = Dominance(region)
    reachable = _reachable(graph)
    for a, block_a in enumerate(blocks):
        assert dominance.is_reachable(block_a) == (a in reachable)
        avoiding = _reachable(graph, without=a)
        for b, block_b in enumerate(blocks):
            expected = a in reachable and b in reachable and b not in avoiding
            assert dominance.dominates(block_a, block_b) == expected
    assert {blocks.index(block) for block in dominance.order} == reachable


@given(GRAPHS, st.data())
def test_uses(graph: list[list[int]], data: st.DataObject) -> None:
    region, blocks = _region(graph)
    home, user = (data.draw(st.integers(0, len(blocks) - 1)) for _ in range(2))
    before = data.draw(st.booleans())
    definition = operations.TestOp(result_types=[i32])
    use = operations.TestOp(operands=[definition.results[0]])
    last = blocks[home].last_op
    assert last is not None
    blocks[home].insert_op_before(definition, last)
    at = definition if before and home == user else blocks[user].last_op
    assert at is not None
    blocks[user].insert_op_before(use, at)
    dominance = Dominance(region)
    legal = at is not definition and dominance.dominates(blocks[home], blocks[user])
    if legal or not dominance.is_reachable(blocks[user]):
        check_dominance(region)
    else:
        with pytest.raises(OperationError, match="operand 0, whose definition") as error:
            check_dominance(region)
        assert error.value.operation is use


def test_uses_in_nested_regions() -> None:
    value = operations.TestOp(result_types=[i32])
    value.results[0].name_hint = "value"
    nested = operations.TestOp(operands=[value.results[0]])
    holder = operations.TestOp(regions=[Region(Block([nested]))])
    block = Block([value, holder, operations.TestTermOp()])
    check_dominance(Region(block))
    holder.detach()
    block.insert_op_before(holder, value)
    region = block.parent
    assert region is not None
    with pytest.raises(OperationError, match=r"operand 0 \(%value\), whose definition"):
        check_dominance(region)


def test_results_are_not_defined_in_the_operation() -> None:
    use = operations.TestOp()
    holder = operations.TestOp(result_types=[i32], regions=[Region(Block([use]))])
    region = Region(Block([holder, operations.TestTermOp()]))
    use.operands = [holder.results[0]]
    with pytest.raises(OperationError, match="operand 0, whose definition does not dominate"):
        check_dominance(region)


def test_values_stay_in_their_region() -> None:
    value = operations.TestOp(result_types=[i32])
    use = operations.TestOp(operands=[value.results[0]])
    holder = operations.TestOp(regions=[Region(Block([value]))])
    other = operations.TestOp(regions=[Region(Block([use]))])
    block = Block([holder, other, operations.TestTermOp()])
    region = Region(block)
    with pytest.raises(OperationError, match="operand 0, which is defined in another region"):
        check_dominance(other.regions[0])
    use.detach()
    block.insert_op_after(use, holder)
    with pytest.raises(OperationError, match="operand 0, which is defined in another region"):
        check_dominance(region)


def test_block_arguments() -> None:
    first, second = Block(arg_types=[i32]), Block(arg_types=[i32])
    own: SSAValue = second.args[0]
    first.add_op(operations.TestTermOp(successors=[second]))
    second.add_op(operations.TestTermOp(operands=[first.args[0], own]))
    region = Region([first, second])
    check_dominance(region)
    last = first.last_op
    assert last is not None
    first.insert_op_before(operations.TestOp(operands=[own]), last)
    with pytest.raises(OperationError):
        check_dominance(region)


def _chain(count: int) -> list[list[int]]:
    return [[index + 1] for index in range(count - 1)] + [[]]


def _ladder(count: int) -> list[list[int]]:
    """Diamonds one after the other, each with an edge back to its top."""
    graph: list[list[int]] = []
    for top in range(0, count - 4, 4):
        graph += [[top + 1, top + 2], [top + 3], [top + 3], [top + 4, top]]
    graph += [[] for _ in range(count - len(graph))]
    return graph


def _nests(count: int) -> list[list[int]]:
    """Nests of ten loops, one after the other."""
    graph: list[list[int]] = []
    for start in range(0, count - 20, 20):
        graph += [[start + index + 1] for index in range(10)]
        graph += [[start + 10 + index + 1, start + 9 - index] for index in range(10)]
    graph += [[] for _ in range(count - len(graph))]
    return graph


@pytest.mark.slow
@pytest.mark.parametrize("shape", sampled([_chain, _ladder, _nests], 1))
def test_linear_time(shape: Callable[[int], list[list[int]]]) -> None:
    def seconds(count: int) -> float:
        region, _ = _region(shape(count))
        return min(seconds_of(lambda: check_dominance(region)) for _ in range(3))

    assert seconds(20_000) < 30 * seconds(2_000)
