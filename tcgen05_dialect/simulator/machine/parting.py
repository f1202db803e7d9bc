"""
Progress of lanes that wait behind a branch for other lanes of their warp.

Threads of a warp make progress independently (3.1). The machine lets lanes meet again where their
branches join; if nothing can go on for this reason, the lanes part again.
"""

from xdsl.ir import Block, Operation

from ..numbers.lanes import some
from .barrier import Mbarrier
from .deadlock import operations_on
from .machine import Machine


def part_lanes(machine: Machine) -> bool:
    """
    Let lanes go on without those for which they wait where branches join, if they may bring what
    threads wait for. Returns whether there were any.
    """
    wanted = {op.parent_block() for op in _wanted(machine)}
    if not wanted:
        return False
    for group in machine.groups:
        for depth, join in reversed([*enumerate(group.joins)]):
            start = join.block.ops[0].parent_block()
            if some(join.arrived) and start is not None and not wanted.isdisjoint(_reached(start)):
                group.part(depth)
                return True
    return False


def _wanted(machine: Machine) -> set[Operation]:
    """The operations that bring what barrier objects need for which groups wait."""
    return {
        op
        for group in machine.groups
        if group.wait is not None
        for barrier in group.wait.needs
        if isinstance(barrier, Mbarrier)
        for op in operations_on(barrier, group)[0]
    }


def _reached(start: Block) -> set[Block]:
    """The blocks that a block leads to, itself included."""
    found, pending = {start}, [start]
    while pending:
        last = pending.pop().last_op
        new = {each for each in (() if last is None else last.successors) if each not in found}
        found |= new
        pending += new
    return found
