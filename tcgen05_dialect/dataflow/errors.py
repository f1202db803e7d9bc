"""Errors that follow from the known facts about the operands of a kernel."""

from collections.abc import Iterator
from itertools import islice

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..reporting.diagnostics import OperationError
from .accesses import allocation_errors
from .kernel_facts import KernelFacts, tcgen05_kernels
from .lanes import lane_errors, overlap_errors
from .legality import illegal_operands, unset_descriptors

_FINDERS = (illegal_operands, overlap_errors, allocation_errors, lane_errors)


def operand_errors(module: ModuleOp) -> Iterator[OperationError]:
    """
    The errors of the kernels of a lowered or imported module, at most one for each operation; and
    for each kernel of PTX text, the warning of the first other instruction with a descriptor whose
    constant field is 0.
    """
    for kernel, instructions in tcgen05_kernels(module):
        known = KernelFacts(kernel, instructions)
        wrong: set[Operation] = set()
        for find in _FINDERS:
            for error in find(known):
                if error.operation not in wrong:
                    wrong.add(error.operation)
                    yield error
        warnings = (each for each in unset_descriptors(known) if each.operation not in wrong)
        yield from islice(warnings, 1)
