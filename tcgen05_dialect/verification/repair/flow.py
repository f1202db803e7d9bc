"""The order of the operations of a kernel, whose control flow is that of regions or of branches."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ...ptx.analysis.control_flow import ControlFlowGraph
from ...ptx.control_flow import CondBraOp
from ...ptx.kernel import KernelOp
from ...ptx.structure import GuardOp
from .listing import Place, enclosing
from .steps import kind


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
        """The operations after another one in its block, with those in guards."""
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
        self._number = {block: number for number, block in enumerate(self._graph.blocks)}
        self._order = [*region.blocks]
        self._loops = self._find_loops()
        """First block of a loop -> the blocks of the loop. Loops that only poll are left out."""

    def _find_loops(self) -> dict[int, set[int]]:
        """Natural loops: their first block dominates the one from which control goes back to it."""
        graph = self._graph
        loops: dict[int, set[int]] = {}
        for latch, successors in enumerate(graph.successors):
            for first in successors:
                if self._dominates(first, latch) and not self._is_poll(first):
                    inside = loops.setdefault(first, {first})
                    pending = [latch]
                    for each in pending:
                        if each not in inside:
                            inside.add(each)
                            pending += graph.predecessors[each]
        return loops

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

    def _dominates(self, one: int, other: int) -> bool:
        # A block has a higher number than its dominators.
        while other > one:
            other = self._graph.dominators[other]
        return other == one

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
        """The branches by which a loop goes back to its first block."""
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
