"""
What operations at a place of a kernel may use, such as barrier objects, parities and constants, and
what comes before and after the place, in regions or between branches.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ...ptx import instructions as ptx
from ...ptx.analysis.control_flow import ControlFlowGraph
from ...ptx.analysis.known_values import constant_bits, constant_value
from ...ptx.control_flow import CondBraOp
from ...ptx.instructions import BfeOp, MapaOp
from ...ptx.kernel import KernelOp
from ...ptx.structure import AddressOfOp, GuardOp
from .listing import Listing, Place, enclosing
from .steps import kind, sources


class Exit(NamedTuple):
    """A way out of a loop of blocks: a branch in the loop, and the block to which it goes."""

    branch: Operation
    block: Block


class Flow:
    """
    What comes before and after an operation.

    With branches, a block comes before those that it dominates, as an operation comes before those
    in the regions after it.
    """

    def __init__(self) -> None:
        self._graphs: dict[Region, _Graph] = {}

    def before(self, op: Operation) -> Iterator[Operation]:
        """The operations that surely come before another one, the last first."""
        for each in enclosing(op):
            last = each.prev_op
            while last is not None:
                yield last
                last = last.prev_op
            for block in self.dominators(each):
                yield from reversed(block.ops)

    def behind(self, op: Operation, of_all_roles: bool = False) -> Iterator[Operation]:
        """The operations that may come after another one in the same thread, in the order of the
        text. Without `of_all_roles`, those that only other threads may execute are left out."""
        for each in enclosing(op):
            graph = self._graph_of(each)
            is_outer = isinstance(each.parent_op(), KernelOp) and each is not op and graph is None
            is_role = is_outer and not of_all_roles and not isinstance(each, GuardOp)
            following = each.next_op
            while following is not None:
                yield from (following,) if is_role else following.walk()
                following = following.next_op
            if graph is not None and each.parent is not None:
                for block in graph.later(each.parent, of_all_roles):
                    yield from block.walk()

    def around(self, op: Operation) -> Iterator[Operation]:
        """The operations that lead control to another one, the last first: those that contain it,
        the branches on which it depends, and those that enter or leave loops above it."""
        for each in enclosing(op):
            if each is not op and not isinstance(each, GuardOp):
                yield each
            graph, block = self._graph_of(each), each.parent
            if graph is not None and block is not None:
                yield from graph.around(block)

    def dominators(self, op: Operation) -> Iterator[Block]:
        """The other blocks of its region through which control comes to an operation, the last
        first."""
        graph = self._graph_of(op)
        if graph is not None and op.parent is not None:
            yield from graph.dominators(op.parent)

    def loops(self, op: Operation) -> Iterator[Operation | Block]:
        """The loops around an operation, the innermost first: operations, or first blocks."""
        for each in enclosing(op):
            if each is not op and isinstance(each, scf.ForOp | scf.WhileOp) and not _polls(each):
                yield each
            graph, block = self._graph_of(each), each.parent
            if graph is not None and block is not None:
                yield from graph.loops(block)

    def ends_of_iterations(self, op: Operation) -> Iterator[Operation]:
        """The last operations of the loops around an operation."""
        for loop in self.loops(op):
            if isinstance(loop, Operation):
                last = loop.regions[-1].blocks[0].last_op
                if last is not None:
                    yield last
            elif (graph := self._graph_of(loop)) is not None:
                yield from graph.latches(loop)

    def loop_of(self, value: SSAValue) -> Operation | Block | None:
        """The innermost loop in which a value is defined; None if it is in none."""
        owner = value.owner
        op = owner.first_op if isinstance(owner, Block) else owner
        return None if op is None else next(self.loops(op), None)

    def changes(self, value: SSAValue) -> bool:
        """Whether a loop computes a value."""
        return isinstance(value.owner, scf.ForOp | scf.WhileOp) or self.loop_of(value) is not None

    def exits(self, op: Operation) -> Iterator[Exit]:
        """The ways out of the loops of blocks around an operation, the innermost loop first."""
        for each in enclosing(op):
            graph, block = self._graph_of(each), each.parent
            if graph is not None and block is not None:
                yield from graph.exits(block)

    def past(self, op: Operation) -> Place:
        """The place after an operation, or after the loop that does nothing but repeat it."""
        for each in enclosing(op):
            if isinstance(each, scf.WhileOp) and _polls(each):
                return Place(each, behind=True)
        graph = self._graph_of(op)
        first = None if graph is None or op.parent is None else graph.behind_poll(op.parent)
        return Place(op, behind=True) if first is None else Place(first)

    def exit_of(self, loop: Block) -> Exit | None:
        """The first way out of a loop of blocks; None for an endless loop."""
        return None if loop.first_op is None else next(self.exits(loop.first_op), None)

    def is_empty_branch(self, op: Operation) -> bool:
        """Whether one way of a branch has nothing but this operation."""
        block = op.parent
        if block is None or op.prev_op is not None or block.last_op is not op or block.args:
            return False
        above = [*block.predecessors()]
        return len(above) == 1 and isinstance(above[0].last_op, CondBraOp)

    def conditions(self, op: Operation) -> Iterator[SSAValue]:
        """The predicates that decide whether control comes to an operation."""
        for each in enclosing(op):
            if isinstance(each, scf.IfOp | GuardOp) and each is not op:
                yield each.operands[0]
        for each in self.around(op):
            if isinstance(each, CondBraOp):
                yield each.predicate

    def following(self, op: Operation) -> Iterator[Operation]:
        """The operations after another one in its block, guarded ones included."""
        for each in dict.fromkeys((op, self.unguarded(op))):
            following = each.next_op
            while following is not None:
                yield from following.walk() if isinstance(following, GuardOp) else (following,)
                following = following.next_op

    def unguarded(self, op: Operation) -> Operation:
        """An operation, or the guard around it."""
        while isinstance(guard := op.parent_op(), GuardOp):
            op = guard
        return op

    def is_beside(self, one: Operation, other: Operation) -> bool:
        """Whether the same loops, and no other operations with regions, contain two operations."""
        region, mine = one.parent, self.unguarded(other).parent
        if region is None or mine is None or region.parent is not mine.parent:
            return False
        return next(self.loops(one), None) is next(self.loops(other), None)

    def is_in_loop(self, op: Operation) -> bool:
        """Whether a loop contains an operation."""
        return next(self.loops(op), None) is not None

    def _graph_of(self, of: Operation | Block) -> "_Graph | None":
        """The graph of the region in which a block or an operation is; None if the region has one
        block."""
        block = of if isinstance(of, Block) else of.parent
        region = None if block is None else block.parent
        if region is None or len(region.blocks) == 1:
            return None
        if region not in self._graphs:
            self._graphs[region] = _Graph(region)
        return self._graphs[region]


def _asks(op: Operation) -> bool:
    """Whether an operation asks whether a phase is over."""
    return kind(op).startswith(("mbarrier.try_wait", "mbarrier.test_wait"))


def _polls(op: Operation) -> bool:
    """Whether a loop begins by asking whether a phase is over, and goes on if it is not."""
    return isinstance(op, scf.WhileOp) and any(map(_asks, op.before_region.block.ops))


class _Graph:
    """The blocks of a region with branches. No loop contains an unreachable block, and no
    other block dominates it."""

    def __init__(self, region: Region):
        self._graph = ControlFlowGraph(region)
        self._number = self._graph.number
        self._order = [*region.blocks]
        self._loops = self._find_loops()
        """First block of a loop -> the blocks of the loop. Loops that only poll are left out."""

    def _find_loops(self) -> dict[int, set[int]]:
        loops = self._graph.loops()
        return {first: inside for first, inside in loops.items() if not self._is_poll(first)}

    def _is_poll(self, number: int) -> bool:
        """Whether a block asks whether a phase is over, and repeats itself until it is."""
        block = self._graph.blocks[number]
        return number in self._graph.successors[number] and any(map(_asks, block.ops))

    def behind_poll(self, block: Block) -> Operation | None:
        """The first operation after a block that polls; None for other blocks."""
        number = self._number.get(block)
        if number is None or not self._is_poll(number):
            return None
        others = [each for each in self._graph.successors[number] if each != number]
        return self._graph.blocks[others[0]].first_op if others else None

    def dominators(self, block: Block) -> Iterator[Block]:
        """The blocks that dominate another one, the nearest first."""
        number = self._number.get(block, 0)
        while number:
            number = self._graph.dominators[number]
            yield self._graph.blocks[number]

    def later(self, block: Block, reachable_or_not: bool) -> Iterator[Block]:
        """The blocks after a block in the text, by default those to which a path leads."""
        number = self._number.get(block)
        following = () if number is None else self._graph.following(number)
        found = {self._graph.blocks[each] for each in following}
        for each in self._order[self._order.index(block) + 1 :]:
            if reachable_or_not or each in found:
                yield each

    def loops(self, block: Block) -> Iterator[Block]:
        """The first blocks of the loops that contain a block, the innermost first."""
        number = self._number.get(block)
        for first in sorted(self._loops, reverse=True):
            if number in self._loops[first]:
                yield self._graph.blocks[first]

    def latches(self, loop: Block) -> Iterator[Operation]:
        """The branches from the body of a loop to its first block."""
        number = self._number[loop]
        for each in self._graph.predecessors[number]:
            last = self._graph.blocks[each].last_op
            if each in self._loops[number] and last is not None:
                yield last

    def exits(self, block: Block) -> Iterator[Exit]:
        """The ways out of the loops that contain a block, the innermost loop first."""
        for first in self.loops(block):
            inside = self._loops[self._number[first]]
            for each in sorted(inside):
                branch = self._graph.blocks[each].last_op
                for successor in self._graph.successors[each]:
                    if successor not in inside and branch is not None:
                        yield Exit(branch, self._graph.blocks[successor])

    def around(self, block: Block) -> Iterator[Operation]:
        """The branches above a block that decide whether it runs, or that enter or leave loops."""
        graph, number = self._graph, self._number.get(block, 0)
        while number:
            above = graph.dominators[number]
            enters = number in self._loops
            leaves = number not in self._loops.get(above, (number,))
            last = graph.blocks[above].last_op
            decides = len(graph.successors[above]) > 1 and above not in self._loops
            if last is not None and (enters or decides or leaves):
                yield last
            number = above


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
            f"{each.variable}+{each.offset}" if is_read else each.variable
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


_BOUNDED = (
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.RemUIOp, arith.DivUIOp, arith.AddiOp),
    *(ptx.AndOp, ptx.OrOp, ptx.XorOp, ptx.RemOp, ptx.DivOp, ptx.AddOp),
    *(arith.SelectOp, ptx.SelpOp),
)
"""Operations: the bounds of the operands give a bound of the result."""
