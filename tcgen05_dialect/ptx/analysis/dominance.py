"""
The check that every value of a kernel is defined before its uses.

xDSL does not verify this, and its dominator sets take quadratic space. The algorithm is that of
Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). Its time is proportional to
the number of blocks times the depth of loops.
"""

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region
from xdsl.traits import IsolatedFromAbove

from ...isa.ptx import ir_form
from ...reporting.operation_error import OperationError


def reverse_postorder(region: Region) -> list[Block]:
    """The reachable blocks of a region, each before the blocks that it dominates."""
    entry = region.blocks[0]
    seen = {entry}
    order: list[Block] = []
    stack: list[tuple[Block, Iterator[Block]]] = [(entry, _successors(entry))]
    while stack:
        block, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, _successors(successor)))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order


def _successors(block: Block) -> Iterator[Block]:
    return iter(()) if block.last_op is None else iter(block.last_op.successors)


class Dominance:
    """The dominance relation of a region; unreachable blocks dominate nothing."""

    def __init__(self, region: Region):
        self.order = reverse_postorder(region)
        index = {block: i for i, block in enumerate(self.order)}
        predecessors: list[list[int]] = [[] for _ in self.order]
        for block in self.order:
            for successor in _successors(block):
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
    violation = ir_form.DOMINANCE_RULE.violation(
        f"operand {index}{name}, {why}",
        "defined on every path to this operation",
        "value",
    )
    error = OperationError(op, str(violation))
    error.__cause__ = violation
    return error
