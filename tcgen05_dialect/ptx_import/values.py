"""
Values: the construction of SSA form from registers that are written several times.

A block gets an argument for a register if different values of the register meet there and the
register is read later: the iterated dominance frontier of Cytron et al. (1991), computed as by
Sreedhar and Gao, "A Linear Time Algorithm for Placing phi-Nodes" (1995), within the blocks where
the register is live. A register with one write that dominates all reads needs no search.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from xdsl.ir import Attribute, SSAValue

from ..ptx.analysis.control_flow import immediate_dominators, tree_intervals
from .blocks import Item, Node
from .names import Variable


def order_of(nodes: Sequence[Node]) -> list[Node]:
    """The blocks in reverse postorder."""
    seen = {nodes[0]}
    finished: list[Node] = []
    stack = [(nodes[0], iter(nodes[0].successors))]
    while stack:
        node, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successor.successors)))
                break
        else:
            finished.append(node)
            stack.pop()
    return finished[::-1]


def accesses(item: Item) -> Iterator[tuple[Variable, bool]]:
    """The registers that an instruction reads, then those that it writes (as True)."""
    leaves = item.leaves
    if item.guard is not None:
        yield item.guard.predicate, False
        for leaf in item.plan.writes:
            if isinstance(register := leaves[leaf], Variable):
                yield register, False
    for leaf in item.plan.reads:
        if isinstance(register := leaves[leaf], Variable):
            yield register, False
    for leaf in item.plan.writes:
        if isinstance(register := leaves[leaf], Variable):
            yield register, True


class Values:
    """The values of registers at each place of a function."""

    def __init__(self, order: Sequence[Node], undefined: Callable[[Attribute], SSAValue]):
        self._undefined = undefined
        number = {node: index for index, node in enumerate(order)}
        self._successors = [[number[each] for each in node.successors] for node in order]
        self._predecessors: list[list[int]] = [[] for _ in order]
        for index, successors in enumerate(self._successors):
            for each in successors:
                self._predecessors[each].append(index)
        self._dominators = immediate_dominators(self._predecessors)
        self._children: list[list[int]] = [[] for _ in order]
        self._level = [0] * len(order)
        for index in range(1, len(order)):
            self._children[self._dominators[index]].append(index)
            self._level[index] = self._level[self._dominators[index]] + 1
        self._intervals = tree_intervals(self._children)
        self._known: list[dict[Variable, SSAValue]] = [{} for _ in order]
        """For each block, the current values of registers in it."""
        self._only: dict[Variable, SSAValue | None] = {}
        """The registers with one value, and the value once it is known."""
        self.arguments: list[list[Variable]] = [[] for _ in order]
        """For each block, the registers for which it has an argument."""
        for register in self._registers(order):
            if self._has_one_value(register):
                self._only[register] = None
            else:
                for block in self._joins(register):
                    self.arguments[block].append(register)

    @staticmethod
    def _registers(order: Sequence[Node]) -> list[Variable]:
        """All registers in use, with the blocks that write and read them."""
        found: dict[Variable, None] = {}
        for block, node in enumerate(order):
            written: set[Variable] = set()

            def read(register: Variable, block: int = block, written: set[Variable] = written):
                found[register] = None
                exposed = register.exposed
                if register not in written and (not exposed or exposed[-1] != block):
                    exposed.append(block)

            for item in node.items:
                if not isinstance(item, Item):
                    continue
                for register, is_write in accesses(item):
                    if is_write:
                        found[register] = None
                        register.writes.append(block)
                        written.add(register)
                    else:
                        read(register)
            if node.end.guard is not None:
                read(node.end.guard.predicate)
            if node.end.index is not None:
                read(node.end.index)
        return list(found)

    def _dominates(self, one: int, other: int) -> bool:
        first, last = self._intervals[one]
        return first <= self._intervals[other][0] <= last

    def _has_one_value(self, register: Variable) -> bool:
        if not register.writes:
            return True
        block, *others = register.writes
        return not others and all(
            each != block and self._dominates(block, each) for each in register.exposed
        )

    def _joins(self, register: Variable) -> list[int]:
        """The blocks where different values of a register meet and the register is live."""
        sources = set(register.writes)
        live: set[int] = set()
        pending = list(register.exposed)
        live.update(pending)
        while pending:
            for block in self._predecessors[pending.pop()]:
                if block not in sources and block not in live:
                    live.add(block)
                    pending.append(block)
        sources |= live & {0}
        joins: set[int] = set()
        seen: set[int] = set()
        level = self._level
        queue = [(-level[block], block) for block in sources]
        heapify(queue)
        while queue:
            _, root = heappop(queue)
            pending = [root]
            while pending:
                block = pending.pop()
                for each in self._successors[block]:
                    if each in live and level[each] <= level[root] and each not in joins:
                        joins.add(each)
                        if each not in sources:
                            heappush(queue, (-level[each], each))
                for each in self._children[block]:
                    if each in live and each not in seen:
                        seen.add(each)
                        pending.append(each)
        return sorted(joins)

    def read(self, register: Variable, block: int) -> SSAValue:
        """The value of a register at the current place in a block."""
        if register in self._only:
            value = self._only[register]
            if value is None:
                value = self._only[register] = self._undefined(register.type)
            return value
        path: list[int] = []
        while (value := self._known[block].get(register)) is None:
            path.append(block)
            if block == 0:
                value = self._undefined(register.type)
                break
            block = self._dominators[block]
        for each in path:
            self._known[each][register] = value
        return value

    def write(self, register: Variable, block: int, value: SSAValue) -> None:
        """Set the value of a register from the current place in a block on."""
        if register in self._only:
            self._only[register] = value
        else:
            self._known[block][register] = value
