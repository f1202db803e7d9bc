"""The loops of a kernel."""

from xdsl.ir import Block, Operation

from ..kernel import KernelOp
from .dominance import Dominance


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
    dominance = Dominance(region)
    return [first for first in dominance.order if _is_loop(first, block, dominance)]


def _is_loop(first: Block, block: Block, dominance: Dominance) -> bool:
    """Whether a path leads from a block back to the block `first`, through blocks that `first`
    dominates."""
    inside = [block] if dominance.dominates(first, block) else []
    seen = set(inside)
    for source in inside:
        successors = () if source.last_op is None else source.last_op.successors
        if first in successors:
            return True
        new = {each for each in successors if dominance.dominates(first, each)} - seen
        seen |= new
        inside += new
    return False
