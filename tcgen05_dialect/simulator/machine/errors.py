"""What an emulated kernel may do wrong."""

from collections.abc import Sequence

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from ...isa.model.rule import Rule
from ...reporting.operation_error import OperationError, located


def fault(
    op: Operation, rule: Rule, found: object, legal: Sequence[object] | str, subject: str = ""
) -> OperationError:
    """An error of an operation of the kernel, to raise."""
    violation = rule.violation(found, legal, subject or rule.subject)
    return located(op, violation)


def place_of(op: Operation) -> str:
    """The line of an operation, or its name where that is not known."""
    location = op.location
    if isinstance(location, FileLineColLoc):
        return f"line {location.line.data}"
    return op.name
