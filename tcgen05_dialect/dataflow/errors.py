"""Errors that follow from the known facts about the operands of a kernel."""

from collections.abc import Iterator
from itertools import compress

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..isa.practice import kept_in_ptx
from ..reporting.diagnostics import OperationError, rule_of
from .accesses import allocation_errors
from .kernel_facts import KernelFacts, tcgen05_kernels
from .lanes import lane_errors, overlap_errors
from .legality import illegal_operands, unset_descriptors

_FINDERS = (
    illegal_operands,
    overlap_errors,
    allocation_errors,
    lane_errors,
    unset_descriptors,
)


def operand_errors(module: ModuleOp) -> Iterator[OperationError]:
    """
    The errors of the kernels of a lowered or imported module, at most one for each operation, and
    the warnings of kernels of PTX text, one of each rule.
    """
    for kernel, instructions in tcgen05_kernels(module):
        known = KernelFacts(kernel, instructions)
        found: dict[Operation, OperationError] = {}
        for find in _FINDERS:
            for error in find(known):
                found.setdefault(error.operation, error)
        errors = found.values()
        if kernel.is_read:
            errors = compress(errors, kept_in_ptx(map(rule_of, errors)))
        yield from errors
