"""Errors of single operations."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ..isa.model.rule import Violation
from ..isa.ptx.ir_form import OPERATION_RULE

Repeated: TypeAlias = Mapping[Operation, Operation | None]
"""Operation -> one that is valid if and only if it is; None if it is certainly valid."""
NOT_REPEATED: Repeated = MappingProxyType({})


class OperationError(DiagnosticException):
    """An error in `operation`; `message` describes it, and may also be about `related`, another
    operation."""

    def __init__(self, operation: Operation, message: str, related: Operation | None = None):
        super().__init__(f"{operation.name}: {message}")
        self.operation = operation
        self.message = message
        self.related = related


class OperationWithWarnings(Operation, ABC):
    """An operation about which there may be warnings; its verifier raises only errors."""

    @abstractmethod
    def warnings(self) -> Iterable[Violation]:
        """The warnings; none if the operation has an error."""


def located(
    operation: Operation, violation: Violation, related: Operation | None = None
) -> OperationError:
    """The error to raise for a violation by an operation; see `OperationError`."""
    error = OperationError(operation, str(violation), related)
    error.__cause__ = violation
    return error


def no_lowering(operation: Operation, legal: str) -> OperationError:
    """The error to raise for an operation without a lowering to PTX at this point."""
    return located(operation, OPERATION_RULE.violation(operation.name, legal))
