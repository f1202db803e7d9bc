"""Errors of kernels that are found without a run."""

from collections.abc import Iterator
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..ptx.control_flow import BrxOp
from ..ptx.effects import may_be_together
from ..ptx.kernel import KernelOp
from ..reporting.operation_error import OperationError
from .convergence import divergence
from .execution import executions
from .presence import Presence, early_accesses
from .repetition import may_repeat, repetition
from .uniformity import Uniformity


def kernel_errors(module: ModuleOp) -> Iterator[OperationError]:
    """The errors of the kernels of a lowered module."""
    for block in module.body.blocks:
        for op in block.ops:
            if isinstance(op, KernelOp) and not _has_table(op):
                uniformity = Uniformity(op)
                yield from early_accesses(op, uniformity)
                found = [*executions(uniformity, _is_checked)]
                if not found:
                    continue
                presence = Presence(uniformity)
                executed = [each for each in found if presence.reaching(each.block, each.gates)]
                yield from divergence(presence, executed)
                yield from repetition(op, uniformity, executed)


def _has_table(kernel: KernelOp) -> bool:
    """Whether a branch of a kernel has more than two targets, which this room does not follow."""
    return any(isinstance(block.last_op, BrxOp) for block in kernel.body.blocks)


@cache
def _is_checked(op_type: type[Operation]) -> bool:
    return may_be_together(op_type) or may_repeat(op_type)
