"""Shared variables that an address may point to."""

from collections.abc import Iterator

from xdsl.ir import BlockArgument, SSAValue

from ..control_flow import Branch
from ..instruction import PureInstruction
from ..structure import AddressOfOp


def variables_of(address: SSAValue) -> set[str]:
    """Names of the variables from whose addresses a value is computed."""
    names: set[str] = set()
    seen: set[SSAValue] = set()
    pending = [address]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(value, BlockArgument):
            pending += _passed(value)
        elif isinstance(owner, AddressOfOp):
            names.add(owner.variable.string_value())
        elif isinstance(owner, PureInstruction):
            pending += owner.operands
    return names


def _passed(argument: BlockArgument) -> Iterator[SSAValue]:
    """The values that branches pass to an argument of a block."""
    region = argument.block.parent
    for block in () if region is None else region.blocks:
        branch = block.last_op
        if isinstance(branch, Branch):
            for target, arguments in branch.targets():
                if target is argument.block:
                    yield arguments[argument.index]
