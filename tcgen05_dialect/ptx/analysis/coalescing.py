"""
Coalescing: values that share one register, so that passing them on needs no move.

Values are related if one is passed to the other: as the argument of a block, or as what a guarded
instruction keeps. Related values share a register unless their live ranges overlap. The test walks
the values of each group once, in order of dominance, as in Boissinot, Darte, Rastello, de Dinechin
and Guillon, "Revisiting Out-of-SSA Translation" (2009).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..control_flow import Branch
from ..inline import InlineOp
from ..structure import ConstantOp, GuardOp, UndefinedOp
from .dominance import Dominance


def kept_values(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Each result of an operation that shares a register with a value before it, and that value."""
    if isinstance(op, GuardOp | InlineOp) and op.kept:
        yield from zip(op.outputs, op.kept, strict=True)


def _passed(blocks: Iterable[Block]) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Each argument of a block and the values passed to it."""
    for block in blocks:
        if isinstance(last := block.last_op, Branch):
            for target, arguments in last.targets():
                yield from zip(target.args, arguments, strict=True)


def shared_registers(
    blocks: Sequence[Block], dominance: Dominance, arguments: bool
) -> Mapping[SSAValue, SSAValue]:
    """
    Value -> the value whose register it has, for values that share a register with another one.

    `blocks` are the reachable blocks of a kernel. Without `arguments`, the arguments of blocks have
    registers of their own.
    """
    related = list(_passed(blocks)) if arguments else []
    related += [pair for block in blocks for op in block.ops for pair in kept_values(op)]
    if not related:
        return {}
    entry = blocks[0]
    groups = _Groups()
    for one, other in related:
        if not any(_is_fixed(each, entry) for each in (one, other)):
            groups.join(one, other)
    ranges = _LiveRanges(blocks, dominance, groups.members())
    found: dict[SSAValue, SSAValue] = {}
    for group in groups.sets():
        for values in ranges.disjoint(group):
            found.update(dict.fromkeys(values[1:], values[0]))
    return found


def _is_fixed(value: SSAValue, entry: Block) -> bool:
    """Whether a value has no register that others may share."""
    return isinstance(value.owner, ConstantOp | UndefinedOp) or value.owner is entry


class _Groups:
    """Disjoint sets of related values."""

    def __init__(self) -> None:
        self._parent: dict[SSAValue, SSAValue] = {}

    def _root(self, value: SSAValue) -> SSAValue:
        parent = self._parent.setdefault(value, value)
        while parent is not value:
            above = self._parent[parent]
            self._parent[value] = above
            value, parent = parent, above
        return value

    def join(self, one: SSAValue, other: SSAValue) -> None:
        self._parent[self._root(one)] = self._root(other)

    def members(self) -> Iterable[SSAValue]:
        return self._parent

    def sets(self) -> Iterable[list[SSAValue]]:
        found: dict[SSAValue, list[SSAValue]] = {}
        for value in self._parent:
            found.setdefault(self._root(value), []).append(value)
        return found.values()


class _Place:
    """The definition of a value: its block and its position there; -1 for an argument."""

    __slots__ = ("block", "order", "position")

    def __init__(self, block: Block, order: int, position: int):
        self.block = block
        self.order = order
        self.position = position


class _LiveRanges:
    """The live ranges of some values."""

    def __init__(self, blocks: Sequence[Block], dominance: Dominance, values: Iterable[SSAValue]):
        self._dominance = dominance
        self._position: dict[Operation, int] = {}
        self._end: dict[Block, int] = {}
        self._before: dict[Block, list[Block]] = {block: [] for block in blocks}
        for block in blocks:
            position = 0
            for position, op in enumerate(block.ops):
                self._position[op] = position
            self._end[block] = position
            if block.last_op is not None:
                for successor in dict.fromkeys(block.last_op.successors):
                    self._before[successor].append(block)
        self._places = {value: self._place(value) for value in values}
        self._last: dict[tuple[SSAValue, Block], int] = {}
        """The last position in a block where a value is used."""
        self._out: dict[SSAValue, set[Block]] = {}
        """The blocks at whose end a value is live, because a block behind them uses it."""
        for value in self._places:
            self._measure(value)

    def _place(self, value: SSAValue) -> _Place:
        if isinstance(value, BlockArgument):
            block, position = value.block, -1
        else:
            op = _owner(value)
            assert op.parent is not None
            block, position = op.parent, self._position[op]
        return _Place(block, self._dominance.number(block), position)

    def _measure(self, value: SSAValue) -> None:
        home = self._places[value].block
        live_in: set[Block] = set()
        out = self._out[value] = set[Block]()
        pending: list[Block] = []
        for use in value.uses:
            op = use.operation
            while op not in self._position:
                if (above := op.parent_op()) is None:
                    break
                op = above
            block = op.parent
            if block is None or block not in self._end:
                continue  # An unreachable block.
            key = value, block
            # The arguments of a branch are read after everything else in its block.
            position = self._position[op] + isinstance(op, Branch)
            self._last[key] = max(self._last.get(key, -1), position)
            if block is not home and block not in live_in:
                live_in.add(block)
                pending.append(block)
        while pending:
            for block in self._before[pending.pop()]:
                out.add(block)
                if block is not home and block not in live_in:
                    live_in.add(block)
                    pending.append(block)

    def disjoint(self, values: Iterable[SSAValue]) -> Iterator[list[SSAValue]]:
        """Partition values into sets without overlapping live ranges."""
        places = self._places
        rest = sorted(values, key=lambda value: (places[value].order, places[value].position))
        while rest:
            chosen: list[SSAValue] = []
            left: list[SSAValue] = []
            around: list[SSAValue] = []
            for value in rest:
                while around and not self._precedes(around[-1], value):
                    around.pop()
                if around and self._overlap(around[-1], value):
                    left.append(value)
                    continue
                around.append(value)
                chosen.append(value)
            yield chosen
            rest = left

    def _precedes(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether the definition of a value dominates that of another, or is at the same place."""
        first, second = self._places[one], self._places[other]
        if first.block is second.block:
            return first.position <= second.position
        return self._dominance.dominates(first.block, second.block)

    def _overlap(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether a value is live where another one, whose definition it dominates, is defined."""
        place = self._places[other]
        if place.block in self._out[one]:
            return True
        first = self._places[one]
        if first.block is place.block and first.position == place.position:
            return True
        last = self._last.get((one, place.block), -2)
        if last > place.position:
            return True
        # A register that keeps its old value is written before the instruction reads its operands.
        return last == place.position >= 0 and any(
            result is other and kept is not one for result, kept in kept_values(_owner(other))
        )


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner
