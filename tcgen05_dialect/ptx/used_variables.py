"""The shared variables that a kernel uses."""

from collections.abc import Iterable

from xdsl.ir import Block

from .analysis.symbols import find_symbol
from .kernel import KernelOp, SharedMemoryOp
from .structure import AddressOfOp
from .variables import VariableAddressOp


def used_variables(kernel: KernelOp, blocks: Iterable[Block]) -> list[SharedMemoryOp]:
    """The shared variables that operations in these blocks of a kernel use, by first use."""
    uses = (
        op
        for block in blocks
        for op in block.ops
        if isinstance(op, AddressOfOp | VariableAddressOp)
    )
    names = dict.fromkeys(op.variable.string_value() for op in uses)
    found = (find_symbol(kernel, name) for name in names)
    return [op for op in found if isinstance(op, SharedMemoryOp)]
