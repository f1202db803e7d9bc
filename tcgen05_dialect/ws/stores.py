"""Stores by TMA to one place of a tensor (T5-WS-021)."""

from collections.abc import Hashable, Iterator
from itertools import combinations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Violation
from ..isa.practice import STORE_RULE
from ..ptx.known_values import constant_value
from ..reporting.diagnostics import text_place
from .base import enclosing, only_computes
from .kernel import Kernel
from .tma import TmaStoreOp


def store_findings(kernel: Kernel) -> Iterator[tuple[Operation, Violation]]:
    """
    The stores that certainly write what another one writes: to the same indices, of which loop
    counters with the same bounds have the same first number, and under the same conditions.
    """
    stores = [op for op in kernel.op.walk() if isinstance(op, TmaStoreOp)]
    for one, other in combinations(stores, 2):
        if _target(one) == _target(other):
            name = other.tensor_map.name_hint or "the tensor map"
            place = text_place(one.location)
            which = "another store" if place is None else f"the store in line {place.line.data}"
            sentence = f"{which} writes the same tile of %{name}, and nothing orders the two"
            yield other, STORE_RULE.violation(None, None, sentence=sentence)
            return


def _target(op: TmaStoreOp) -> Hashable:
    """What decides which elements a store writes, and whether it is executed."""
    given = *op.mixed_indices, *op.rows
    indices = tuple(each if isinstance(each, int) else _number(each) for each in given)
    counted = op.elements is not None, tuple(op.is_half)
    return op.tensor_map, op.tile.type, counted, indices, tuple(_control(op))


def _control(op: Operation) -> Iterator[Hashable]:
    """The bounds of the loops around an operation, and the sides of conditionals."""
    inner = op
    for around in enclosing(op):
        if isinstance(around, scf.ForOp):
            yield _bounds(around)
        elif around.name.startswith("scf."):
            yield inner.parent_region()
        inner = around


def _bounds(loop: scf.ForOp) -> Hashable:
    return loop.name, *map(_number, (loop.lb, loop.ub, loop.step))


def _number(value: SSAValue) -> Hashable:
    """A key for a value: values with the same key are equal if all loops are at their first
    iteration."""
    constant = constant_value(value)
    if constant is not None:
        return constant
    owner = value.owner
    if isinstance(owner, Block):
        loop = owner.parent_op()
        if isinstance(loop, scf.ForOp) and value is owner.args[0]:
            return _bounds(loop)
        return value
    if owner.regions or not only_computes(owner):
        return value
    attributes = tuple(sorted({**owner.properties, **owner.attributes}.items()))
    at = owner.results.index(value)
    return owner.name, at, attributes, *map(_number, owner.operands)
