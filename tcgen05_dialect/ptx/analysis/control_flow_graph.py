"""
The control-flow graph of a kernel, with the block where the paths from each branch join again.

Blocks from which no path leads to the end of a thread, such as those before a trap, do not count:
the paths that remain decide where the threads join.
"""

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Region

from ..control_flow import traps
from .dominance import immediate_dominators, reverse_postorder

END = -1
"""The number of the end of the kernel, where all threads that return join."""


class ControlFlowGraph:
    """
    The reachable blocks of a region, by number in reverse postorder, and their edges. With
    `endless_loops_end`, the last block of a loop without exit counts as an end of the kernel.
    """

    def __init__(self, region: Region, endless_loops_end: bool = False):
        self.blocks = reverse_postorder(region)
        number = {block: index for index, block in enumerate(self.blocks)}
        self.successors = [_successors(block, number) for block in self.blocks]
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

    def following(self, block: int) -> list[int]:
        """The blocks that may be executed after a block; itself only if it is in a loop."""
        found = [*dict.fromkeys(self.successors[block])]
        seen = set(found)
        for each in found:
            new = [other for other in dict.fromkeys(self.successors[each]) if other not in seen]
            seen.update(new)
            found += new
        return found

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


def _successors(block: Block, number: dict[Block, int]) -> list[int]:
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
