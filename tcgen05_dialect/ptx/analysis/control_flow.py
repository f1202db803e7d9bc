"""
The control-flow graph of a kernel, with the block where the paths from each branch join again.

Blocks from which no path leads to the end of a thread, such as those before a trap, do not count:
the paths that remain decide where the threads join.

The check that every value of a kernel is defined before its uses.

xDSL does not verify this, and its dominator sets take quadratic space. The algorithm is that of
Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). Its time is proportional to
the number of blocks times the depth of loops.

The loops of a kernel.

The walk over all operations of a module.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove

from ...isa.ptx import kernel
from ...reporting.diagnostics import OperationError
from ..control_flow import Branch, traps
from ..kernel import KernelOp

T = TypeVar("T")


def closure(roots: Iterable[T], step: Callable[[T], Iterable[T]]) -> set[T]:
    """The roots, such as values, and all that repeated steps reach from them."""
    found: set[T] = set()
    pending = list(roots)
    while pending:
        each = pending.pop()
        if each not in found:
            found.add(each)
            pending += step(each)
    return found


def passed_to(argument: SSAValue) -> list[SSAValue]:
    """The values that branches pass to an argument of a block."""
    assert isinstance(argument, BlockArgument)
    return [
        values[argument.index]
        for block in argument.block.predecessors()
        if isinstance(branch := block.last_op, Branch)
        for target, values in branch.targets()
        if target is argument.block
    ]


def reverse_postorder(region: Region) -> list[Block]:
    """The reachable blocks of a region, each before the blocks that it dominates."""
    entry = region.blocks[0]
    seen = {entry}
    order: list[Block] = []
    stack: list[tuple[Block, Iterator[Block]]] = [(entry, iter(successors(entry)))]
    while stack:
        block, following = stack[-1]
        for successor in following:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order


def successors(block: Block) -> Sequence[Block]:
    """The blocks to which the last operation of a block may branch."""
    return () if block.last_op is None else block.last_op.successors


class Dominance:
    """The dominance relation of a region; unreachable blocks dominate nothing."""

    def __init__(self, region: Region):
        self.order = reverse_postorder(region)
        index = {block: i for i, block in enumerate(self.order)}
        predecessors: list[list[int]] = [[] for _ in self.order]
        for block in self.order:
            for successor in successors(block):
                predecessors[index[successor]].append(index[block])
        parent = immediate_dominators(predecessors)
        children: list[list[int]] = [[] for _ in self.order]
        for i in range(1, len(parent)):
            children[parent[i]].append(i)
        self._interval = tree_intervals(children)
        self._index = index

    def is_reachable(self, block: Block) -> bool:
        """Whether `block` is reachable from the entry block of the region."""
        return block in self._index

    def number(self, block: Block) -> int:
        """The number of a reachable block: a block comes before the blocks that it dominates, and
        these come before all others."""
        return self._interval[self._index[block]][0]

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every path from the entry block of the region to `b` goes through `a`."""
        if a not in self._index or b not in self._index:
            return False
        first, last = self._interval[self._index[a]]
        return first <= self._interval[self._index[b]][0] <= last


def immediate_dominators(predecessors: list[list[int]]) -> list[int]:
    """The immediate dominator of each block; blocks are numbered in reverse postorder."""
    unknown = -1
    dominator = [0] + [unknown] * (len(predecessors) - 1)
    changed = True
    while changed:
        changed = False
        for block in range(1, len(predecessors)):
            new = unknown
            for other in predecessors[block]:
                if dominator[other] == unknown:
                    continue
                if new == unknown:
                    new = other
                    continue
                while new != other:
                    while new > other:
                        new = dominator[new]
                    while other > new:
                        other = dominator[other]
            if dominator[block] != new:
                dominator[block] = new
                changed = True
    return dominator


def tree_intervals(children: list[list[int]]) -> list[tuple[int, int]]:
    """For each node of the tree, its preorder number and the highest number in its subtree."""
    first = [0] * len(children)
    last = [0] * len(children)
    counter = 0
    stack = [(0, False)]
    while stack:
        node, done = stack.pop()
        if done:
            last[node] = counter - 1
            continue
        first[node] = counter
        counter += 1
        stack.append((node, True))
        stack.extend((child, False) for child in children[node])
    return list(zip(first, last, strict=True))


def check_dominance(region: Region) -> Dominance:
    """
    The dominance relation of a region. Raises OperationError for a use not dominated, and for a use
    by an operation of the region of a value from a region that is not around it.
    """
    dominance = Dominance(region)
    around = _around(region)
    for block in dominance.order:
        # Keyed by identity, because hashing a value takes longer than the rest of the check.
        defined = {id(argument) for argument in block.args}
        for whole in block.ops:
            for op in whole.walk():
                for index, operand in enumerate(op.operands):
                    if id(operand) in defined:
                        continue
                    owner = operand.owner
                    home = owner if isinstance(owner, Block) else owner.parent
                    if home is not None and home.parent is region:
                        if home is block or not dominance.dominates(home, block):
                            raise _undefined(
                                op, index, "whose definition does not dominate this use"
                            )
                        defined.add(id(operand))
                    # The check of a region inside follows the values of the regions around it.
                    elif op is whole and (home is None or home.parent not in around):
                        is_inside = _is_inside(home, around[-1] if around else region)
                        where = "in another region" if is_inside else "outside the kernel"
                        raise _undefined(op, index, f"which is defined {where}")
            # The results of an operation are not defined in its own regions.
            for result in whole.results:
                defined.add(id(result))
    return dominance


def _around(region: Region) -> list[Region]:
    """The regions around a region up to that of the kernel, the innermost first."""
    around: list[Region] = []
    op = region.parent
    while op is not None and not op.has_trait(IsolatedFromAbove) and op.parent is not None:
        outer = op.parent.parent
        if outer is None:
            break
        around.append(outer)
        op = outer.parent
    return around


def _is_inside(block: Block | None, region: Region) -> bool:
    """Whether a block is in a region, or in an operation in it."""
    while block is not None and block.parent is not region:
        block = block.parent_block()
    return block is not None


def _undefined(op: Operation, index: int, why: str) -> OperationError:
    hint = op.operands[index].name_hint
    name = f" (%{hint})" if hint else ""
    violation = kernel.DOMINANCE_RULE.violation(
        f"operand {index}{name}, {why}",
        "defined on every path to this operation",
        "value",
    )
    error = OperationError(op, str(violation))
    error.__cause__ = violation
    return error


END = -1
"""The number of the end of the kernel, where all threads that return join."""


class Passed(NamedTuple):
    """A value that a branch passes to a block argument: the number of the block that the branch
    ends, and the index of the target among those of the branch."""

    before: int
    way: int
    value: SSAValue


class ControlFlowGraph:
    """
    The reachable blocks of a region, by number in reverse postorder, and their edges. With
    `endless_loops_end`, the last block of a loop without exit counts as an end of the kernel.
    """

    def __init__(self, region: Region, endless_loops_end: bool = False):
        self.blocks = reverse_postorder(region)
        self.number = {block: index for index, block in enumerate(self.blocks)}
        """The number of each block that can be reached."""
        self.successors = [_numbered_successors(block, self.number) for block in self.blocks]
        self.predecessors: list[list[int]] = [[] for _ in self.blocks]
        for block, successors in enumerate(self.successors):
            for successor in successors:
                self.predecessors[successor].append(block)
        self.dominators = immediate_dominators(self.predecessors)
        """Immediate dominator of each block; the first block is its own."""
        ends = [index for index in range(len(self.blocks)) if self._returns(index)]
        if endless_loops_end:
            ends += self._latches(ends)
        self.joins = self._joins(ends)
        """Immediate postdominator of each block, or END; None if no thread ends after the block."""

    def ends(self, block: int) -> bool:
        """Whether a path leads from a block to the end of a thread."""
        return self.joins[block] is not None

    def dominates(self, one: int, other: int) -> bool:
        """Whether every path to a block goes through another one."""
        # A block has a higher number than its dominators.
        while other > one:
            other = self.dominators[other]
        return other == one

    def ways_into(self, block: int) -> tuple[list[int], list[int]]:
        """The blocks that branch forward to a block, and those that branch back to it."""
        before = self.predecessors[block]
        return [each for each in before if each < block], [each for each in before if each >= block]

    def loops(self) -> dict[int, set[int]]:
        """The first block of each loop that can be entered at one block -> the blocks of it."""
        found: dict[int, set[int]] = {}
        for latch, successors in enumerate(self.successors):
            for first in successors:
                if self.dominates(first, latch):
                    before = {**dict(enumerate(self.predecessors)), first: []}
                    inside = closure([first, latch], before.__getitem__)
                    found.setdefault(first, set()).update(inside)
        return found

    def passed(self, argument: SSAValue) -> Iterator[Passed]:
        """The values that branches in reachable blocks pass to an argument of a block."""
        assert isinstance(argument, BlockArgument)
        number = self.number.get(argument.block)
        before = () if number is None else dict.fromkeys(self.predecessors[number])
        for each in before:
            branch = self.blocks[each].last_op
            assert isinstance(branch, Branch)
            for way, (target, values) in enumerate(branch.targets()):
                if target is argument.block:
                    yield Passed(each, way, values[argument.index])

    def following(self, block: int) -> list[int]:
        """The blocks that may be executed after a block; itself only if it is in a loop."""
        found = [*dict.fromkeys(self.successors[block])]
        seen = set(found)
        for each in found:
            new = [other for other in dict.fromkeys(self.successors[each]) if other not in seen]
            seen.update(new)
            found += new
        return found

    def sides(self, branch: int) -> list[set[int]]:
        """The blocks on the ways from each target of a branch to the block where all ways meet;
        empty if they never meet, or if one leads back to the branch."""
        join = self.joins[branch]
        if join is None or join == END:
            return []
        found = [
            closure([target], lambda at: () if at == join else self.successors[at]) - {join}
            for target in self.successors[branch]
        ]
        return [] if any(branch in side for side in found) else found

    def controlled(self, branch: int) -> Iterator[int]:
        """The blocks whose execution the branch at the end of a block decides, some repeatedly."""
        for successor in self.successors[branch]:
            block: int | None = successor
            while block is not None and block not in (END, self.joins[branch]):
                yield block
                block = self.joins[block]

    def _returns(self, block: int) -> bool:
        return not self.successors[block] and not self._traps(block)

    def _traps(self, block: int) -> bool:
        return traps(self.blocks[block].ops)

    def _latches(self, ends: list[int]) -> list[int]:
        """The blocks that branch back to the header of a loop that only a trap can leave."""
        traps = [index for index in range(len(self.blocks)) if self._traps(index)]
        seen = {*_reverse_postorder(ends, self.predecessors), *self._leading_only_to(traps)}
        found: list[int] = []
        # Successors come first.
        for block in _reverse_postorder(range(len(self.blocks)), self.predecessors, seen.copy()):
            if _reverse_postorder([block], self.predecessors, seen):
                inside = {*_reverse_postorder([block], self.successors)}
                found += [latch for latch in self.predecessors[min(inside)] if latch in inside]
        return found

    def _leading_only_to(self, ends: list[int]) -> set[int]:
        """The blocks from which every path leads to one of the ends."""
        found: set[int] = set()
        pending = list(ends)
        while pending:
            block = pending.pop()
            if block not in found and found.issuperset(self.successors[block]):
                found.add(block)
                pending += self.predecessors[block]
        return found

    def _joins(self, ends: list[int]) -> list[int | None]:
        order = [END, *_reverse_postorder(ends, self.predecessors)]
        place = {block: index for index, block in enumerate(order)}
        last = set(ends)
        edges = [
            []
            if block == END
            else [place[each] for each in self.successors[block] if each in place]
            + [0] * (block in last)
            for block in order
        ]
        joins: list[int | None] = [None] * len(self.blocks)
        for block, dominator in zip(order[1:], immediate_dominators(edges)[1:], strict=True):
            joins[block] = order[dominator]
        return joins


def _numbered_successors(block: Block, number: dict[Block, int]) -> list[int]:
    last = block.last_op
    return [] if last is None else [number[successor] for successor in last.successors]


def _reverse_postorder(
    roots: Sequence[int], edges: Sequence[Sequence[int]], seen: set[int] | None = None
) -> list[int]:
    """The unseen blocks reachable from the roots, in reverse postorder."""
    seen = set() if seen is None else seen
    finished: list[int] = []
    for root in roots:
        stack = [] if root in seen else [(root, iter(edges[root]))]
        seen.add(root)
        while stack:
            block, inner = stack[-1]
            for other in inner:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(edges[other])))
                    break
            else:
                finished.append(block)
                stack.pop()
    return finished[::-1]


def loops_around(op: Operation) -> list[Block]:
    """
    The first blocks of the loops that contain an operation of a kernel, the outermost loop first.

    A loop that can be entered at several blocks is left out.
    """
    block = op.parent_block()
    while block is not None and not isinstance(outer := block.parent_op(), KernelOp):
        block = None if outer is None else outer.parent_block()
    if block is None or (region := block.parent) is None:
        return []
    graph = ControlFlowGraph(region)
    number = graph.number.get(block)
    return [
        graph.blocks[first] for first, inside in sorted(graph.loops().items()) if number in inside
    ]


def operations_of(root: Operation) -> list[Operation]:
    """
    An operation and all operations nested in it, in program order.

    xDSL's own walk is slower: it passes each operation through one generator per nesting level.
    """
    operations: list[Operation] = []
    _append(root, operations)
    return operations


def _append(root: Operation, operations: list[Operation]) -> None:
    operations.append(root)
    for region in root.regions:
        for block in region.blocks:
            op = block.first_op
            while op is not None:
                if op.regions:
                    _append(op, operations)
                else:
                    operations.append(op)
                op = op.next_op


def operations_in(block: Block) -> list[Operation]:
    """
    The operations of a block, as a list: the block may change while it is read.

    A list of xDSL's `ops` is slower: Python first asks for its length, which reads the block, too.
    """
    operations: list[Operation] = []
    op = block.first_op
    while op is not None:
        operations.append(op)
        op = op.next_op
    return operations


def operations_inside_first(root: Operation) -> list[Operation]:
    """An operation and all operations nested in it, each after the operations in its regions."""
    operations: list[Operation] = []
    stack = [root]
    while stack:
        op = stack.pop()
        operations.append(op)
        for region in op.regions:
            for block in region.blocks:
                stack.extend(operations_in(block))
    operations.reverse()
    return operations


def has_functions(module: ModuleOp) -> bool:
    """Whether a module has operations of `func`; nothing is searched if this dialect has not been
    imported."""
    return "xdsl.dialects.func" in sys.modules and any(
        op.name.startswith("func.") for op in operations_of(module)
    )
