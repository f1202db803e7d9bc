"""Variables that an address may point to."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, SSAValue

from ..control_flow import Branch
from ..instruction import PureInstruction
from ..structure import AddressOfOp, ConstantOp, VolatileRegisterOp
from ..variables import VariableAddressOp


class Pointees(NamedTuple):
    """
    The variables from whose addresses an address is computed, by name. If `complete`, the address
    can point to no other variable.
    """

    names: frozenset[str]
    complete: bool


def pointees(address: SSAValue) -> Pointees:
    """The variables that an address may point to."""
    names: set[str] = set()
    seen: set[SSAValue] = set()
    pending, complete = [address], True
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(value, BlockArgument):
            passed = [*_passed(value)]
            pending += passed
            complete &= bool(passed) and not _is_entry(value.block)
        elif isinstance(owner, AddressOfOp | VariableAddressOp):
            names.add(owner.variable.string_value())
        elif isinstance(owner, PureInstruction):
            # Special registers have no operands and are not addresses.
            pending += owner.operands
        elif not isinstance(owner, ConstantOp | VolatileRegisterOp):
            complete = False
    return Pointees(frozenset(names), complete and bool(names))


def _is_entry(block: Block) -> bool:
    return block.parent is not None and block.parent.blocks[0] is block


def _passed(argument: BlockArgument) -> Iterator[SSAValue]:
    """The values that branches pass to an argument of a block."""
    for block in argument.block.predecessors():
        branch = block.last_op
        if isinstance(branch, Branch):
            for target, arguments in branch.targets():
                if target is argument.block:
                    yield arguments[argument.index]
