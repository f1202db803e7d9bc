"""The errors of kernels that need no run to be found."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from ..ptx.kernel import KernelOp
from ..reporting.operation_error import OperationError
from .convergence import divergence
from .uniformity import Uniformity


def kernel_errors(module: ModuleOp) -> Iterator[OperationError]:
    """The errors of the kernels of a lowered module, in the order of their blocks."""
    for block in module.body.blocks:
        for op in block.ops:
            if isinstance(op, KernelOp):
                yield from divergence(Uniformity(op))
