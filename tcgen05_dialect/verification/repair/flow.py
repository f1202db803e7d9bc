"""
What comes before and after an operation of a kernel, in regions or between branches, and which
operations wait, arrive or copy.
"""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from ...isa.effects.model import COMMITTED, Actor, Choice, Effects, Ordering, StateSpace, is_strong
from ...isa.effects.table import EFFECTS, NONE, mbarrier_waits
from ...ptx.analysis.control_flow import END, ControlFlowGraph
from ...ptx.structure import GuardOp, unguarded
from ...ptx.text.syntax import word_of
from .listing import Place, enclosing

MBARRIER_WAITS = mbarrier_waits()


def kind(op: Operation) -> str:
    """The name of an operation, the same in both dialects."""
    return op.name.removeprefix("ptx.")


def effects_of(op: Operation) -> Effects:
    """The row of effects of an operation of either dialect."""
    return EFFECTS.get(kind(op), NONE)


def _orders(op: Operation, order: Ordering) -> bool:
    """Whether an operation without qualifiers has an ordering."""
    orders = effects_of(op).orders
    return order in (orders.cases.get(None, ()) if isinstance(orders, Choice) else orders)


def is_wait(op: Operation) -> bool:
    """Whether the operation acquires what other threads released."""
    is_flag = kind(op) == "ld" and is_strong(word_of(op, "semantics"))
    return is_flag or _orders(op, Ordering.ACQUIRE)


def is_arrival(op: Operation) -> bool:
    """Whether the operation releases the thread's earlier accesses."""
    is_flag = kind(op) == "st" and is_strong(word_of(op, "semantics"))
    by_thread = effects_of(op).actor is Actor.THREAD
    return is_flag or (by_thread and _orders(op, Ordering.RELEASE))


def is_tensor_core(op: Operation) -> bool:
    """Whether an operation is one that a commit tracks."""
    return any(area.completion is COMMITTED for area in effects_of(op).areas)


def is_fence(op: Operation, order: str) -> bool:
    """Whether an operation is the tcgen05 fence before or after threads synchronise."""
    return kind(op) == "tcgen05.fence" and word_of(op, "order") == f"{order}_thread_sync"


def has_effects(op: Operation) -> bool:
    """Whether an operation does more than compute or branch."""
    row = effects_of(op)
    does = row.arrives_at or row.completes or row.tracks or op.regions
    return bool(does) or any(area.space is not StateSpace.REGISTERS for area in row.areas)


def computations_behind(op: Operation) -> Iterator[Operation]:
    """The operations after another one, up to the next that does more than compute."""
    following = op.next_op
    while following is not None and not (
        has_effects(following) or is_wait(following) or following.has_trait(IsTerminator)
    ):
        yield following
        following = following.next_op


def is_empty(op: Operation) -> bool:
    """Whether the first region of an operation has no text, as if a step had been there."""
    return bool(op.regions) and all(
        has_no_text(each) for block in op.regions[0].blocks for each in block.ops
    )


def has_no_text(op: Operation) -> bool:
    """Whether the text may leave out an operation."""
    return isinstance(op, scf.YieldOp) and not op.operands


def last_place(block: Block) -> Place | None:
    """The place after the last operation of a block, or before its terminator."""
    last = block.last_op
    if last is not None and has_no_text(last):
        last = last.prev_op
    return None if last is None else Place(last, behind=not last.has_trait(IsTerminator))


def following(op: Operation) -> Iterator[Operation]:
    """The operations after another one in its block, guarded ones included."""
    for each in dict.fromkeys((op, unguarded(op))):
        after = each.next_op
        while after is not None:
            yield from after.walk() if isinstance(after, GuardOp) else (after,)
            after = after.next_op


def _asks(op: Operation) -> bool:
    """Whether an operation asks whether a phase is over, and goes on if it is not."""
    return kind(op) in MBARRIER_WAITS and bool(op.results)


def _polls(op: Operation) -> bool:
    """Whether a loop begins by asking whether a phase is over, and goes on if it is not."""
    return isinstance(op, scf.WhileOp) and any(map(_asks, op.before_region.block.ops))


class _Graph(ControlFlowGraph):
    """The blocks of a region with branches. Its loops are those that do more than poll."""

    def __init__(self, region: Region):
        super().__init__(region)
        self.inside = {
            first: inside for first, inside in self.loops().items() if not self.is_poll(first)
        }
        """First block of a loop -> the blocks of the loop."""

    def is_poll(self, number: int) -> bool:
        """Whether a block asks whether a phase is over, and repeats itself until it is."""
        return number in self.successors[number] and any(map(_asks, self.blocks[number].ops))

    def loops_around(self, number: int) -> list[int]:
        """The first blocks of the loops that contain a block, the innermost first."""
        return [
            first for first in sorted(self.inside, reverse=True) if number in self.inside[first]
        ]

    def exits(self, number: int) -> Iterator[Block]:
        """The blocks after the loops that contain a block, the innermost loop first."""
        for first in self.loops_around(number):
            for each in sorted(inside := self.inside[first]):
                yield from (self.blocks[to] for to in self.successors[each] if to not in inside)


class Flow:
    """
    What comes before and after an operation.

    With branches, a block comes before those that it dominates, as an operation comes before those
    in the regions after it.
    """

    def __init__(self) -> None:
        self._graphs: dict[Region, _Graph] = {}

    def _graph_of(self, block: Block | None) -> tuple[_Graph, int] | None:
        """The graph of the region with a block, and the number of the block there; None if the
        region has one block, or no path leads to the block."""
        region = None if block is None else block.parent
        if block is None or region is None or len(region.blocks) == 1:
            return None
        if region not in self._graphs:
            self._graphs[region] = _Graph(region)
        graph = self._graphs[region]
        return (graph, graph.number[block]) if block in graph.number else None

    def dominators(self, op: Operation) -> Iterator[Block]:
        """The other blocks of its region through which control comes to an operation, the last
        first."""
        if (found := self._graph_of(op.parent)) is not None:
            graph, number = found
            while number:
                number = graph.dominators[number]
                yield graph.blocks[number]

    def is_passed_by_all(self, place: Place) -> bool:
        """Whether all threads come to a place, or at least those that run a loop around it."""
        if place.inside:
            return False
        for each in enclosing(place.op):
            if each is not place.op and isinstance(each, scf.IfOp | GuardOp):
                return False
            if (found := self._graph_of(each.parent)) is not None:
                graph, number = found
                at: int | None = 0
                while at is not None and at not in (number, END):
                    at = graph.joins[at]
                if at != number:
                    return False
        return True

    def blocks_beside(self, op: Operation) -> Iterator[Block]:
        """The blocks in the region of an operation that no path shares with the operation."""
        if (found := self._graph_of(op.parent)) is not None:
            graph, number = found
            after = {number, *graph.following(number)}
            for other, block in enumerate(graph.blocks):
                if other not in after and number not in graph.following(other):
                    yield block

    def above(self, op: Operation) -> Iterator[Operation | Block]:
        """What control surely passes before an operation, the last first: operations, and blocks
        after the operations in them."""
        for each in enclosing(op):
            last = each.prev_op
            while last is not None:
                yield last
                last = last.prev_op
            if each.parent is not None:
                yield each.parent
            for block in self.dominators(each):
                yield from reversed(block.ops)
                yield block

    def before(self, op: Operation) -> Iterator[Operation]:
        """The operations that surely come before another one, the last first."""
        return (each for each in self.above(op) if isinstance(each, Operation))

    def behind(self, op: Operation) -> Iterator[Operation]:
        """The operations that may come after another one, in the order of the text."""
        for each in enclosing(op):
            after = each.next_op
            while after is not None:
                yield from after.walk()
                after = after.next_op
            if (found := self._graph_of(each.parent)) is not None:
                graph, number = found
                later = {graph.blocks[each] for each in graph.following(number)}
                block = graph.blocks[number].next_block
                while block is not None:
                    if block in later:
                        yield from block.walk()
                    block = block.next_block

    def loops(self, op: Operation) -> Iterator[Operation | Block]:
        """The loops around an operation, the innermost first: operations, or first blocks."""
        for each in enclosing(op):
            if each is not op and isinstance(each, scf.ForOp | scf.WhileOp) and not _polls(each):
                yield each
            if (found := self._graph_of(each.parent)) is not None:
                yield from (found[0].blocks[first] for first in found[0].loops_around(found[1]))

    def loop(self, of: Operation | SSAValue) -> Operation | Block | None:
        """The innermost loop around an operation, or in which a value is defined."""
        owner = of.owner if isinstance(of, SSAValue) else of
        op = owner.first_op if isinstance(owner, Block) else owner
        return None if op is None else next(self.loops(op), None)

    def exits(self, op: Operation) -> Iterator[Block]:
        """The blocks after the loops of blocks around an operation, the innermost loop first."""
        for each in enclosing(op):
            if (found := self._graph_of(each.parent)) is not None:
                yield from found[0].exits(found[1])

    def past(self, op: Operation) -> Place:
        """The place after an operation, or after the loop that does nothing but repeat it."""
        for each in enclosing(op):
            if _polls(each):
                return Place(each, behind=True)
        found = self._graph_of(op.parent)
        if found is not None and found[0].is_poll(found[1]):
            graph, number = found
            for each in graph.successors[number]:
                if each != number and (first := graph.blocks[each].first_op) is not None:
                    return Place(first)
        return Place(op, behind=True)
