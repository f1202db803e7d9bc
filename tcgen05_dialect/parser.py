"""The parser of IR text, which remembers where each operation stood."""

from bisect import bisect_right
from itertools import accumulate

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .diagnostics import Source
from .lexer import Lexer


class LocatedParser(Parser):
    """
    Gives each operation without a location the one where it begins.

    An error that an attribute or an operation raises while it is built becomes a ParseError, so
    that it has a place as well.
    """

    def __init__(self, context: Context, source: Source):
        super().__init__(context, source.text, source.name)
        self._parser_state = ParserState(Lexer(self.lexer.input))
        lengths = (len(line) + 1 for line in source.text.split("\n"))
        self._line_starts = list(accumulate(lengths, initial=0))
        self._lines_before = source.lines_before
        self._file = StringAttr(source.name)

    def _location(self, position: int) -> FileLineColLoc:
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        # The constructor would verify the parameters again, which takes longer than the rest.
        location = FileLineColLoc.__new__(FileLineColLoc)
        set_parameter = object.__setattr__
        set_parameter(location, "filename", self._file)
        set_parameter(location, "line", IntAttr(line + self._lines_before))
        set_parameter(location, "column", IntAttr(column))
        return location

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        try:
            operation = super().parse_operation()
        except (ParseError, RecursionError):
            raise
        except Exception as error:
            # xDSL raises whatever odd text leads it to.
            known = isinstance(error, DiagnosticException | ValueError | NotImplementedError)
            message = str(error) if known else f"cannot be read ({type(error).__name__}: {error})"
            raise ParseError(self._current_token.span, message) from error
        if operation.location is UNKNOWN_LOC:
            operation.location = self._location(start)
        return operation

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            from difflib import get_close_matches

            close = get_close_matches(name, (op.name for op in self.ctx.loaded_ops), n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            # The parser is already past the name.
            source = self.lexer.input
            start = source.content.rfind(name, 0, self.pos)
            span = Span(start, start + len(name), source)
            raise ParseError(span, f"unknown operation {name}{hint}") from error

    def _parse_block(self) -> Block:
        if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
            self.raise_error("expected an operation, the label of a block, or }")
        return super()._parse_block()

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if self._current_token.kind == MLIRTokenKind.EOF:
            self.raise_error("expected an operation, but the input is empty")
        return super().parse_module(allow_implicit_module)
