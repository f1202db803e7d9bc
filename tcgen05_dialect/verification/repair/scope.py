"""Values that an operation at a place of a kernel may use: barrier objects, parities, constants."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...ptx import instructions as ptx
from ...ptx.instructions import BfeOp, MapaOp
from ...ptx.kernel import KernelOp
from ...ptx.known_values import constant_bits, constant_value
from ...ptx.structure import AddressOfOp
from .flow import Flow
from .listing import Listing, Place, enclosing
from .steps import sources

_MOST = 1 << 32
"""Bound of values that may be any number."""


class Spot(NamedTuple):
    """A byte of a shared variable to which an address points or, if it is not exact, the first one
    to which it may point."""

    variable: str
    offset: int
    is_exact: bool = True


class Scope:
    """The values of a kernel, seen from its places."""

    def __init__(self, listing: Listing, kernel: KernelOp):
        self.listing = listing
        self.kernel = kernel
        self.flow = Flow()
        self._spots: dict[SSAValue, frozenset[Spot]] = {}
        self._bounds: dict[SSAValue, int] = {}

    def visible(self, place: Place) -> Iterator[SSAValue]:
        """The values that operations at a place may use, the nearest first."""
        found = self._visible(place)
        if not self.kernel.is_read:
            yield from found
            return
        # A register of PTX text holds its last value.
        seen: set[str] = set()
        for value in found:
            register = value.name_hint or ""
            if register not in seen or not register:
                yield value
            seen.add(register)

    def _visible(self, place: Place) -> Iterator[SSAValue]:
        if place.behind:
            yield from reversed(place.op.results)
        for op in enclosing(place.op):
            last = op.prev_op
            while last is not None:
                yield from reversed(last.results)
                last = last.prev_op
            if op.parent is None:
                return
            yield from reversed(op.parent.args)
            for block in self.flow.dominators(op):
                for each in reversed(block.ops):
                    yield from reversed(each.results)
                yield from reversed(block.args)

    def barriers(self, op: Operation) -> frozenset[str]:
        """The variables with the barrier objects at the addresses among the operands of an
        operation."""
        found = frozenset[str]()
        for value in op.operands:
            found |= self.variables(value)
        return found & self.barrier_variables

    @cached_property
    def barrier_variables(self) -> frozenset[str]:
        """The variables with barrier objects, in the order of their initialisation."""
        inits = [op for op in self.kernel.walk() if op.name == "ptx.mbarrier.init"]
        return frozenset(name for op in inits for name in self.variables(op.operands[0]))

    def addresses(self, place: Place, variable: str) -> list[SSAValue]:
        """The visible addresses of barrier objects in a variable of the executing CTA."""
        return [
            value
            for value in self.visible(place)
            if value.type == i32
            and self.variables(value) == frozenset((variable,))
            and not self._is_mapped(value)
        ]

    def variables(self, value: SSAValue) -> frozenset[str]:
        """The shared variables from whose addresses a value is computed; in PTX text, where one
        variable often holds all of shared memory, with their offsets."""
        is_read = self.kernel.is_read
        return frozenset(
            at_offset(each.variable, each.offset) if is_read else each.variable
            for each in self.spots(value)
        )

    def part(self, variable: str) -> tuple[str, int]:
        """The name of a shared variable, and the offset that the name of its part gives."""
        name, _, offset = variable.rpartition("+")
        return (name, int(offset)) if self.kernel.is_read else (variable, 0)

    def spots(self, value: SSAValue) -> frozenset[Spot]:
        """Where an address may point; empty if no address of a shared variable is in it."""
        known = self._spots.get(value)
        if known is None:
            self._spots[value] = frozenset()
            known = self._spots[value] = self._computed(value)
        return known

    def _computed(self, value: SSAValue) -> frozenset[Spot]:
        owner = value.owner
        if isinstance(owner, AddressOfOp):
            return frozenset((Spot(owner.variable.string_value(), owner.start),))
        if isinstance(owner, ptx.AddOp | arith.AddiOp):
            for one, other in (owner.operands, reversed(owner.operands)):
                if (distance := constant_value(other)) is not None:
                    return frozenset(
                        each._replace(offset=each.offset + distance) for each in self.spots(one)
                    )
        found = [self.spots(each) for each in sources(value)]
        spots = frozenset[Spot]().union(*found)
        # A value that a loop computes from itself moves from iteration to iteration.
        if all(found) and (isinstance(value, BlockArgument) or isinstance(owner, ptx.MovOp)):
            return spots
        return frozenset(each._replace(is_exact=False) for each in spots)

    def _is_mapped(self, value: SSAValue) -> bool:
        """Whether an address may be in another CTA."""
        if isinstance(value.owner, MapaOp):
            return True
        return isinstance(value.owner, Operation) and any(
            self._is_mapped(each) for each in value.owner.operands if self.variables(each)
        )

    def parities(self, place: Place) -> list[SSAValue]:
        """The visible values that are 0 or 1, values that nothing uses first."""
        found = [
            value
            for value in self.visible(place)
            if value.type == i32
            and not isinstance(value.owner, AddressOfOp)
            and self.bound(value) <= 2
        ]
        return sorted(found, key=self._parity_rank)

    @staticmethod
    def _parity_rank(value: SSAValue) -> tuple[bool, bool]:
        is_constant = constant_bits(value) is not None
        return is_constant, not is_constant and bool(next(iter(value.uses), None))

    def constants(self, place: Place) -> Iterator[tuple[SSAValue, int]]:
        """The visible constants of 32 bits."""
        for value in self.visible(place):
            if value.type == i32 and (bits := constant_bits(value)) is not None:
                yield value, bits

    def bound(self, value: SSAValue) -> int:
        """A number that a value does not reach."""
        known = self._bounds.get(value)
        if known is None:
            # A value carried around a loop keeps a bound that its first value has.
            self._bounds[value] = 2
            known = self._bounds[value] = self._bound(value)
        return known

    def _bound(self, value: SSAValue) -> int:
        if (bits := constant_bits(value)) is not None:
            return bits + 1
        if isinstance(value, BlockArgument):
            return self._argument_bound(value)
        op = value.owner
        assert isinstance(op, Operation)
        if isinstance(op, ptx.MovOp):
            return self.bound(op.operands[0])
        if isinstance(op, BfeOp):
            length = constant_bits(op.length)
            return _MOST if length is None else min(1 << length, _MOST)
        if isinstance(op, arith.ExtUIOp):
            return 2 if op.input.type == i1 else _MOST
        if not isinstance(op, _BOUNDED) or len(op.operands) < 2:
            return _MOST
        first, second = (op.a, op.b) if isinstance(op, ptx.SelpOp) else op.operands[-2:]
        a, b, constant = self.bound(first), self.bound(second), constant_bits(second)
        match op:
            case arith.AndIOp() | ptx.AndOp():
                return min(a, b)
            case arith.OrIOp() | arith.XOrIOp() | ptx.OrOp() | ptx.XorOp():
                return 1 << (max(a, b) - 1).bit_length()
            case arith.RemUIOp() | ptx.RemOp():
                return min(a, constant or _MOST)
            case arith.DivUIOp() | ptx.DivOp():
                return -(-a // constant) if constant else a
            case arith.AddiOp() | ptx.AddOp():
                return min(a + b - 1, _MOST)
            case _:
                return max(a, b)

    def _argument_bound(self, value: BlockArgument) -> int:
        loop = value.block.parent_op()
        if isinstance(loop, scf.ForOp) and value.index == 0:
            return self.bound(loop.ub) - 1
        return max(map(self.bound, sources(value)), default=_MOST)


def at_offset(name: str, offset: int) -> str:
    """The name of the part of a variable that begins at an offset."""
    return f"{name}+{offset}"


_BOUNDED = (
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.RemUIOp, arith.DivUIOp, arith.AddiOp),
    *(ptx.AndOp, ptx.OrOp, ptx.XorOp, ptx.RemOp, ptx.DivOp, ptx.AddOp),
    *(arith.SelectOp, ptx.SelpOp),
)
"""Operations whose results have a bound that follows from those of the operands."""
