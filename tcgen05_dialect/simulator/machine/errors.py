"""Errors of emulated kernels and of their launches."""

from collections.abc import Generator, Hashable
from contextlib import contextmanager

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from ...isa.model.rule import Rule, Violation, describe
from ...reporting.diagnostics import CompileError
from ...reporting.operation_error import OperationError, located


class LaunchError(CompileError):
    """Illegal launch of a kernel; it breaks no rule of the ISA."""


def refused(found: object, legal: object, what: str) -> LaunchError:
    """The error to raise for a part of a launch: `what` must be `legal`."""
    return LaunchError(f"{what} must be {describe(legal)}; found {describe(found)}")


@contextmanager
def of_launch(name: str | None) -> Generator[None]:
    """Add the name of the file to launch errors."""
    try:
        yield
    except LaunchError as error:
        raise LaunchError(error.message, name) from error


def mistake(rule: Rule, sentence: str, help: str = "") -> Violation:
    """The violation to raise for a rule that a run breaks; `help` replaces the rule's fix."""
    return rule.violation(None, None, sentence=sentence, help=help)


def fault(op: Operation, rule: Rule, sentence: str, help: str = "") -> OperationError:
    """The error to raise for an operation of the kernel; see `mistake`."""
    return located(op, mistake(rule, sentence, help))


def line_of(op: Operation) -> Hashable:
    """The line of an operation, or the operation itself if the line is unknown."""
    location = op.location
    if isinstance(location, FileLineColLoc):
        return location.filename.data, location.line.data
    return op


def place_of(op: Operation) -> str:
    """The line of an operation, or its name if the line is unknown."""
    location = op.location
    if isinstance(location, FileLineColLoc):
        return f"line {location.line.data}"
    return op.name
