"""Errors that name the operation they are about."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ..isa.model.rule import Violation
from ..isa.ptx.ir_form import OPERATION_RULE


class OperationError(DiagnosticException):
    """`message` is what is wrong with `operation`."""

    def __init__(self, operation: Operation, message: str):
        super().__init__(f"{operation.name}: {message}")
        self.operation = operation
        self.message = message


def located(operation: Operation, violation: Violation) -> OperationError:
    """A violation as an error of an operation, to raise."""
    error = OperationError(operation, str(violation))
    error.__cause__ = violation
    return error


def no_lowering(operation: Operation, legal: str) -> OperationError:
    """The error to raise for an operation that cannot become PTX where it is met."""
    return located(operation, OPERATION_RULE.violation(operation.name, legal))
