"""Operations with a declarative format, which is parsed when it is first used."""

import inspect
from functools import cache

from typing_extensions import TypeVar
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import Parser
from xdsl.printer import Printer

OperationT = TypeVar("OperationT", bound=IRDLOperation)


def formatted_op_definition(op_type: type[OperationT]) -> type[OperationT]:
    """
    Define an operation with an `assembly_format`.

    This is xDSL's `irdl_op_definition`, which would parse the format at once: half a millisecond
    for each operation, of which a program has few.
    """
    text = op_type.assembly_format
    op_type.assembly_format = None
    defined = irdl_op_definition(op_type)
    defined.assembly_format = defined.get_irdl_definition().assembly_format = text
    methods: dict[str, object] = {"parse": classmethod(_parse), "print": _print}
    for name, method in methods.items():
        setattr(defined, name, method)
    return defined


@cache
def format_of(op_type: type[Operation]) -> FormatProgram | None:
    """The declarative format of a class of operations, if it has one."""
    if not issubclass(op_type, IRDLOperation) or op_type.assembly_format is None:
        return None
    # What xDSL has parsed is known to the method that uses it only.
    program = inspect.getclosurevars(op_type.parse).nonlocals.get("assembly_program")
    if isinstance(program, FormatProgram):
        return program
    return FormatProgram.from_str(op_type.assembly_format, op_type.get_irdl_definition())


def _program(op_type: type[IRDLOperation]) -> FormatProgram:
    program = format_of(op_type)
    assert program is not None
    return program


def _parse(op_type: type[OperationT], parser: Parser) -> OperationT:
    return _program(op_type).parse(parser, op_type)


def _print(op: IRDLOperation, printer: Printer) -> None:
    _program(type(op)).print(printer, op)
