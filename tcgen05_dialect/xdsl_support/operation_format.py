"""
Declarative formats of operations, parsed at first use.

xDSL parses the format of every operation when its class is created. This takes a tenth of the
compile time, and most programs use few operations.
"""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from threading import Lock

from typing_extensions import TypeVar
from xdsl.irdl import IRDLOperation, OpDef, declarative_assembly_format, irdl_op_definition
from xdsl.irdl.declarative_assembly_format import FormatProgram, ParsingState
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .properties import check_properties

OperationT = TypeVar("OperationT", bound=IRDLOperation)


class _Program(FormatProgram):
    """A format whose errors name the property that is wrong."""

    def resolve_constraint_variables(self, state: ParsingState, op_def: OpDef) -> None:
        try:
            super().resolve_constraint_variables(state, op_def)
        except VerifyException:
            check_properties(state.op_type, state.properties)
            raise


class _Postponed:
    """A `FormatProgram` that is parsed at first use. It has the methods that xDSL calls."""

    def __init__(self, text: str, definition: OpDef) -> None:
        self._text, self._definition = text, definition

    @classmethod
    def from_str(cls, text: str, definition: OpDef) -> "_Postponed":
        return cls(text, definition)

    @cached_property
    def program(self) -> FormatProgram:
        """The parsed format. Raises ParseError."""
        return _Program(FormatProgram.from_str(self._text, self._definition).stmts)

    def parse(self, parser: Parser, op_type: type[OperationT]) -> OperationT:
        return self.program.parse(parser, op_type)

    def print(self, printer: Printer, op: IRDLOperation) -> None:
        self.program.print(printer, op)


class _Postponing:
    """The contexts, of all threads, in which formats are postponed; the first one sets the class
    that parses formats, and the last one restores it."""

    def __init__(self) -> None:
        self._lock, self._active = Lock(), 0

    def enter(self) -> None:
        with self._lock:
            self._active += 1
            setattr(declarative_assembly_format, FormatProgram.__name__, _Postponed)

    def leave(self) -> None:
        with self._lock:
            self._active -= 1
            if not self._active:
                setattr(declarative_assembly_format, FormatProgram.__name__, FormatProgram)


_postponing = _Postponing()


@contextmanager
def formats_parsed_at_first_use() -> Generator[None]:
    """
    Postpone the parsing of formats while operation classes are created or imported.

    Another thread that creates classes at the same time postpones them too.
    """
    # Works because xDSL looks the class up for each operation. If that changes, a test fails.
    _postponing.enter()
    try:
        yield
    finally:
        _postponing.leave()


def formatted_op_definition(op_type: type[OperationT]) -> type[OperationT]:
    """Define an operation with an `assembly_format`, as xDSL's `irdl_op_definition` does."""
    with formats_parsed_at_first_use():
        return irdl_op_definition(op_type)
