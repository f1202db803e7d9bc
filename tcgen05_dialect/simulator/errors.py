"""What an emulated kernel may do wrong."""

from collections.abc import Sequence

from xdsl.ir import Operation

from ..isa.rule import Rule, Violation
from ..ptx.errors import OperationError


def fault(
    op: Operation, rule: Rule, found: object, legal: Sequence[object] | str, subject: str = ""
) -> OperationError:
    """An error of an operation of the kernel, to raise."""
    violation = rule.violation(found, legal, subject or rule.statement)
    return located(op, violation)


def located(op: Operation, violation: Violation) -> OperationError:
    """A violation as an error of an operation of the kernel, to raise."""
    error = OperationError(op, str(violation))
    error.__cause__ = violation
    return error
