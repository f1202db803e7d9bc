"""
Declarative formats of operations, parsed at first use.

xDSL parses the format of every operation when its class is created. This takes a tenth of the
compile time, and most programs use few operations.

Verifier of an operation without the checks of its declaration.

A run in the emulator verifies instructions again, with the values of registers. The checks of the
declaration do not depend on these values, and take more than half of the time. xDSL joins them with
the checks of the class in one method; `custom_verify` is the name of the latter in its closure.
Without that name, the whole verifier is used. It can be deleted when xDSL calls the two separately.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache, cached_property
from threading import Lock
from typing import Any

from typing_extensions import TypeVar
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OpDef, irdl_op_definition
from xdsl.irdl.declarative_assembly_format import FormatProgram, ParsingState
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .properties import check_properties

OperationT = TypeVar("OperationT", bound=IRDLOperation)
_parse = FormatProgram.from_str


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

    @cached_property
    def program(self) -> FormatProgram:
        """The parsed format. Raises ParseError."""
        return _Program(_parse(self._text, self._definition).stmts)

    def parse(self, parser: Parser, op_type: type[OperationT]) -> OperationT:
        return self.program.parse(parser, op_type)

    def print(self, printer: Printer, op: IRDLOperation) -> None:
        self.program.print(printer, op)


class _Postponing:
    """The contexts, of all threads, in which formats are postponed; the first one replaces the
    function that parses formats, and the last one restores it."""

    def __init__(self) -> None:
        self._lock, self._active = Lock(), 0

    def enter(self) -> None:
        with self._lock:
            self._active += 1
            self._set(_Postponed)

    def leave(self) -> None:
        with self._lock:
            self._active -= 1
            if not self._active:
                self._set(_parse)

    def _set(self, parse: Callable[[str, OpDef], object]) -> None:
        # Not the class itself: xDSL's parser of formats may be imported, and take it, meanwhile.
        setattr(FormatProgram, _parse.__name__, staticmethod(parse))


_postponing = _Postponing()


@contextmanager
def formats_parsed_at_first_use() -> Generator[None]:
    """
    Postpone the parsing of formats while operation classes are created or imported.

    Another thread that creates classes at the same time postpones them too.
    """
    # Works because xDSL calls the function for each operation. If that changes, a test fails.
    _postponing.enter()
    try:
        yield
    finally:
        _postponing.leave()


def formatted_op_definition(op_type: type[OperationT]) -> type[OperationT]:
    """Define an operation with an `assembly_format`, as xDSL's `irdl_op_definition` does."""
    with formats_parsed_at_first_use():
        return irdl_op_definition(op_type)


@cache
def own_checks(op_type: type[Operation]) -> Callable[[Any], None]:
    """The verifier of an operation whose declaration holds. It raises VerifyException."""
    whole = op_type.verify_
    names = dict(zip(whole.__code__.co_freevars, whole.__closure__ or (), strict=True))
    own = names.get("custom_verify")
    return whole if own is None else own.cell_contents
