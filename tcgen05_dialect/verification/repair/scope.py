"""Values that an operation at a place of a kernel may use: barrier objects, parities, constants."""

from collections.abc import Iterator
from functools import cached_property

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...ptx import arithmetic as ptx
from ...ptx.kernel import KernelOp
from ...ptx.known_values import constant_bits, constant_value
from ...ptx.memory import MapaOp
from ...ptx.structure import AddressOfOp
from .listing import Listing, Place, enclosing
from .uses import sources

_MOST = 1 << 32
"""Bound of values that may be any number."""


class Scope:
    """The values of a kernel, seen from its places."""

    def __init__(self, listing: Listing, kernel: KernelOp):
        self.listing = listing
        self.kernel = kernel
        self._variables: dict[SSAValue, frozenset[str]] = {}
        self._bounds: dict[SSAValue, int] = {}

    def visible(self, place: Place) -> Iterator[SSAValue]:
        """The values that operations at a place may use, the nearest first."""
        last: Operation | None = place.op
        if place.behind:
            yield from reversed(place.op.results)
        for op in enclosing(place.op):
            block = op.parent
            last = op.prev_op
            while last is not None:
                yield from reversed(last.results)
                last = last.prev_op
            if block is None:
                return
            yield from reversed(block.args)
            # In the form with branches, the entry block comes before all others.
            region = block.parent
            if region is not None and region.blocks[0] is not block:
                entry = region.blocks[0]
                for each in reversed([*entry.ops]):
                    yield from reversed(each.results)
                yield from reversed(entry.args)

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
        known = self._variables.get(value)
        if known is None:
            self._variables[value] = frozenset()
            owner = value.owner
            if isinstance(owner, AddressOfOp):
                name = owner.variable.string_value()
                known = frozenset((at_offset(name, owner.start) if self.kernel.is_read else name,))
            elif self.kernel.is_read and isinstance(owner, ptx.AddOp):
                known = self._moved(owner)
            else:
                known = frozenset[str]().union(*map(self.variables, sources(value)))
            self._variables[value] = known
        return known

    def _moved(self, op: ptx.AddOp) -> frozenset[str]:
        """The variables of a sum, at a distance that is constant."""
        for one, other in ((op.a, op.b), (op.b, op.a)):
            if (distance := constant_value(other)) is not None:
                return frozenset(_moved_by(each, distance) for each in self.variables(one))
        return self.variables(op.a) | self.variables(op.b)

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


def _moved_by(name: str, distance: int) -> str:
    variable, _, offset = name.rpartition("+")
    return at_offset(variable, int(offset) + distance)


_BOUNDED = (
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.RemUIOp, arith.DivUIOp, arith.AddiOp),
    *(ptx.AndOp, ptx.OrOp, ptx.XorOp, ptx.RemOp, ptx.DivOp, ptx.AddOp),
    *(arith.SelectOp, ptx.SelpOp),
)
"""Operations whose results have a bound that follows from those of the operands."""
