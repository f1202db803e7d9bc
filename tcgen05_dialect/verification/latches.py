"""Loops with one way in and one way back, as the analysis of loops expects them."""

from collections.abc import Iterable

from xdsl.ir import Block

from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.control_flow import BraOp
from ..ptx.kernel import KernelOp


def has_many_latches(kernel: KernelOp) -> bool:
    """Whether a loop of a kernel has several ways in or back."""
    return any(len(group) > 1 for _, *groups in _headers(kernel) for group in groups)


def join_latches(kernel: KernelOp) -> None:
    """Let the ways into each loop meet in one block, and its ways back in another one."""
    for header, *groups in list(_headers(kernel)):
        for group in groups:
            if len(group) > 1:
                _join(header, group)


def _headers(kernel: KernelOp) -> Iterable[tuple[Block, list[Block], list[Block]]]:
    """The header of each loop, and the blocks before it outside and inside the loop."""
    blocks = reverse_postorder(kernel.body)
    number = {block: index for index, block in enumerate(blocks)}
    before: dict[Block, list[Block]] = {}
    for block in blocks:
        for successor in dict.fromkeys(block.last_op.successors if block.last_op else ()):
            before.setdefault(successor, []).append(block)
    for header, sources in before.items():
        back = [each for each in sources if number[each] >= number[header]]
        if back:
            yield header, [each for each in sources if each not in back], back


def _join(header: Block, sources: Iterable[Block]) -> None:
    """Let some blocks branch to a new block, which branches to the header."""
    joint = Block(arg_types=[each.type for each in header.args])
    for argument, each in zip(joint.args, header.args, strict=True):
        argument.name_hint = each.name_hint
    for source in sources:
        branch = source.last_op
        assert branch is not None
        branch.successors = [joint if each is header else each for each in branch.successors]
    joint.add_op(BraOp.create(operands=joint.args, successors=[header]))
    region = header.parent_region()
    assert region is not None
    region.insert_block_before(joint, header)
