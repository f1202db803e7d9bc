"""Errors that name the operation they are about."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException


class OperationError(DiagnosticException):
    """`message` is what is wrong with `operation`."""

    def __init__(self, operation: Operation, message: str):
        super().__init__(f"{operation.name}: {message}")
        self.operation = operation
        self.message = message
