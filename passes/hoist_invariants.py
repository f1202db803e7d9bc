"""
The pass `tcgen05-hoist-invariants`: moves operations out of loops.

The assembler moves little out of a region that one lane executes, and it cannot know that a
descriptor plus an offset is a descriptor. xDSL's pass `licm` skips the regions of `scf.if`.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.arith import AddiOp, ConstantOp, MuliOp, ShLIOp, SubiOp
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, Pure

from tcgen05_dialect.isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT
from tcgen05_dialect.ptx.analysis.control_flow import operations_inside_first
from tcgen05_dialect.ptx.analysis.known_values import constant_value
from tcgen05_dialect.tcgen05.descriptor import DescriptorOp, TileOp, stride_violations

from .support.conversion import replace

_LOOPS = (scf.ForOp, scf.WhileOp)
_DISTANCES = DESCRIPTOR_LAYOUT.field("start_address").legal


class _Multiple(NamedTuple):
    """A value times a constant number of bytes."""

    value: SSAValue
    bytes: int


class _Sum(NamedTuple):
    """An address in shared memory as a sum."""

    base: SSAValue
    constant: int
    multiples: list[_Multiple]


@cache
def _is_movable(op_type: type[Operation]) -> bool:
    """Whether operations of a type are pure. Pure ends of regions, such as `scf.yield`, stay."""
    return op_type.has_trait(Pure) and not op_type.has_trait(IsTerminator)


def _operations(region: Region) -> Iterator[Operation]:
    """The operations of a loop in program order, without the loops in it."""
    for block in region.blocks:
        for op in tuple(block.ops):
            yield op
            if isinstance(op, scf.IfOp):
                for inner in op.regions:
                    yield from _operations(inner)


def _terms(value: SSAValue) -> Iterator[SSAValue]:
    if isinstance(owner := value.owner, AddiOp):
        yield from _terms(owner.lhs)
        yield from _terms(owner.rhs)
    else:
        yield value


def _multiple(value: SSAValue) -> _Multiple | None:
    """The value and the constant of a product; None for other values."""
    owner = value.owner
    if isinstance(owner, MuliOp):
        for factor, other in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
            if (known := constant_value(factor)) is not None:
                return _Multiple(other, known)
    if isinstance(owner, ShLIOp) and (known := constant_value(owner.rhs)) is not None:
        return _Multiple(owner.lhs, 1 << known) if 0 <= known < i32.width.data else None
    return None


def _sum(address: SSAValue) -> _Sum | None:
    """
    The terms of an address; None unless its base is certain to be an address in shared memory too.

    A base below the address, such as the end of a buffer minus its size, may be none: the fields
    of its descriptor would overflow.
    """
    bases: list[SSAValue] = []
    constant, multiples = 0, list[_Multiple]()
    for term in _terms(address):
        if (known := constant_value(term)) is not None:
            constant += known
        elif (multiple := _multiple(term)) is not None:
            multiples.append(multiple)
        else:
            bases.append(term)
    if len(bases) != 1 or constant < 0 or isinstance(bases[0].owner, SubiOp):
        return None
    return _Sum(bases[0], constant, multiples)


class _Loop:
    """A loop whose invariant operations are moved out."""

    def __init__(self, op: Operation) -> None:
        self._op = op

    def hoist(self) -> None:
        """Move each pure operation that is the same in all iterations before the loop."""
        for region in self._op.regions:
            for op in _operations(region):
                if not _is_movable(type(op)):
                    continue
                if all(self._is_outside(operand) for operand in op.operands):
                    op.detach()
                    self._insert(op, op, self._op)
                elif isinstance(op, DescriptorOp):
                    self._reduce(op)

    def _reduce(self, op: DescriptorOp) -> None:
        """Make the descriptor of the base before the loop; add the multiples to the descriptor."""
        address, type_ = _sum(op.address), op.result.type
        if address is None or not self._is_outside(address.base):
            return
        for _, stride in address.multiples:
            if stride <= 0 or stride not in _DISTANCES or stride_violations(type_, stride):
                return
        base = address.base
        if address.constant:
            constant = ConstantOp(IntegerAttr(address.constant, i32))
            base = self._insert(AddiOp(base, self._insert(constant, op, self._op)), op, self._op)
        first = DescriptorOp.create(operands=[base], result_types=[type_])
        value = self._insert(first, op, self._op)
        for multiple in sorted(address.multiples, key=self._varies):
            tile = TileOp.at(value, *multiple)
            value = self._insert(tile, op, op if self._varies(multiple) else self._op)
        replace(op, (value,))

    def _varies(self, multiple: _Multiple) -> bool:
        return not self._is_outside(multiple.value)

    def _is_outside(self, value: SSAValue) -> bool:
        return not self._op.is_ancestor(value.owner)

    @staticmethod
    def _insert(new: Operation, replaced: Operation, before: Operation) -> SSAValue:
        """Insert an operation that replaces a part of another one; return its result."""
        block = before.parent
        assert block is not None
        new.location = replaced.location
        block.insert_op_before(new, before)
        return new.results[0]


def hoist_invariants(root: Operation) -> None:
    """Move pure operations out of the loops in an operation; see `HoistInvariants`."""
    for op in operations_inside_first(root):
        if isinstance(op, _LOOPS):
            _Loop(op).hoist()


class HoistInvariants(ModulePass):
    """Moves pure operations out of loops, and makes the descriptors of tiles from those of first
    ones."""

    name = "tcgen05-hoist-invariants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist_invariants(op)
