"""
Operations with a declarative format, which is parsed when it is first used.

xDSL parses the format of every operation when its class is made: a tenth of the time of a
compilation, for operations most of which no program has.
"""

import inspect
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache, cached_property

from typing_extensions import TypeVar
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OpDef, declarative_assembly_format, irdl_op_definition
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import Parser
from xdsl.printer import Printer

OperationT = TypeVar("OperationT", bound=IRDLOperation)


class _Postponed:
    """What xDSL is given for a `FormatProgram`, of which it uses these methods."""

    def __init__(self, text: str, definition: OpDef) -> None:
        self._text, self._definition = text, definition

    @classmethod
    def from_str(cls, text: str, definition: OpDef) -> "_Postponed":
        return cls(text, definition)

    @cached_property
    def program(self) -> FormatProgram:
        """The format. Raises ParseError."""
        return FormatProgram.from_str(self._text, self._definition)

    def parse(self, parser: Parser, op_type: type[OperationT]) -> OperationT:
        return self.program.parse(parser, op_type)

    def print(self, printer: Printer, op: IRDLOperation) -> None:
        self.program.print(printer, op)


@contextmanager
def formats_parsed_at_first_use() -> Generator[None]:
    """While classes of operations are made, or modules with such classes are imported."""
    # xDSL looks for the class each time. If it ceases to, this saves no time, and a test fails.
    name = FormatProgram.__name__
    before = getattr(declarative_assembly_format, name)
    setattr(declarative_assembly_format, name, _Postponed)
    try:
        yield
    finally:
        setattr(declarative_assembly_format, name, before)


def formatted_op_definition(op_type: type[OperationT]) -> type[OperationT]:
    """Define an operation with an `assembly_format`, as xDSL's `irdl_op_definition` does."""
    with formats_parsed_at_first_use():
        return irdl_op_definition(op_type)


@cache
def format_of(op_type: type[Operation]) -> FormatProgram | None:
    """The declarative format of a class of operations, if it has one."""
    if not issubclass(op_type, IRDLOperation) or op_type.assembly_format is None:
        return None
    # Only the method that uses it knows it; should xDSL call it otherwise, it is parsed again.
    program = inspect.getclosurevars(op_type.parse).nonlocals.get("assembly_program")
    if isinstance(program, FormatProgram):
        return program
    if isinstance(program, _Postponed):
        return program.program
    return FormatProgram.from_str(op_type.assembly_format, op_type.get_irdl_definition())
