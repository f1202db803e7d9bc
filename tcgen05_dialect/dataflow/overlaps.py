"""Operands of matrix products in the columns of D (9.7.16.10.9)."""

from collections.abc import Iterator

from ..isa.mma.operation import overlap_violations
from ..isa.mma.products import D
from ..isa.model.rule import combined
from ..isa.tensor_memory.cells import ADDRESS, COLUMNS
from ..ptx.tcgen05_mma import Mma
from ..reporting.operation_error import OperationError, located
from .accesses import address
from .kernel_facts import KernelFacts
from .numbers import difference, signed


def overlap_errors(known: KernelFacts) -> Iterator[OperationError]:
    """The errors of matrix products with an operand in columns of D. The addresses may be relative
    to any value, but both to the same."""
    for op in known.instructions:
        if isinstance(op, Mma):
            violation = combined(
                overlap_violations(
                    op.form(), known.facts.number(op.idesc).constant, _distances(op, known)
                )
            )
            if violation is not None:
                yield located(op, violation)


def _distances(op: Mma, known: KernelFacts) -> dict[str, int]:
    """The distances in columns from D to other operands in the same lanes, as far as known."""
    found: dict[str, int] = {}
    d = address(op, D.name, known.facts)
    for each in op.form().matrices_in("tensor"):
        if each.name == D.name:
            continue
        other = address(op, each.name, known.facts)
        distance = difference(other.offset, d.offset).constant
        if other.base == d.base and distance is not None:
            columns = signed(distance, ADDRESS.width)
            if abs(columns) <= COLUMNS:
                found[each.name] = columns
    return found
