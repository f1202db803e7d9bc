"""Operations that no launch executes, because the numbers before them decide against it."""

from collections.abc import Iterator, Mapping, Set

from xdsl.ir import Block, Operation, SSAValue

from ...dataflow.fact import Edges
from ...dataflow.facts import Facts
from ...dataflow.numbers import one_of
from ...ptx.analysis.control_flow import ControlFlowGraph
from ...ptx.control_flow import BrxOp, CondBraOp
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...reporting.diagnostics import read_place

Place = tuple[str, int, int]
"""File, line and column."""


def dead_places(kernel: KernelOp, contents: Mapping[SSAValue, Set[int]]) -> set[Place]:
    """
    The places of operations that are never executed: what is known of a condition in every run
    decides against them. `contents` are the only numbers that loads read, if these are known.
    """
    graph = ControlFlowGraph(kernel.body)
    facts = Facts(kernel, Edges(graph))
    facts.contents = {
        value: one_of(numbers, register_bits(value.type) or 0)
        for value, numbers in contents.items()
    }
    live: set[Block] = set()
    pending = graph.blocks[:1]
    while pending:
        block = pending.pop()
        if block not in live:
            live.add(block)
            pending += _following(block, facts)
    dead = {place for block in graph.blocks if block not in live for place in _places(block)}
    return dead.difference(place for block in live for place in _places(block))


def _following(block: Block, facts: Facts) -> Iterator[Block]:
    """The blocks to which the branch at the end of a block may go."""
    branch = block.last_op
    if branch is None:
        return
    deciding: SSAValue | None = None
    if isinstance(branch, CondBraOp):
        deciding = branch.predicate
    elif isinstance(branch, BrxOp):
        deciding = branch.index
    for number, successor in enumerate(branch.successors):
        # The first way of a conditional branch is that of a true predicate.
        value = 1 - number if isinstance(branch, CondBraOp) else number
        if deciding is None or facts.number(deciding).has(value):
            yield successor


def _places(block: Block) -> Iterator[Place]:
    for op in block.walk():
        if (place := _place(op)) is not None:
            yield place


def _place(op: Operation) -> Place | None:
    place = read_place(op.location)
    if place is None:
        return None
    return place.filename.data, place.line.data, place.column.data
