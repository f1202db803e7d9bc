"""The parser of IR text, which remembers where each operation stood."""

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import AttributeInvT, Block, Operation, SSAValue, TypeAttribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRToken,
    MLIRTokenKind,
    PunctuationSpelling,
)

from ..isa.model.rule import describe, did_you_mean
from ..reporting.diagnostics import TOO_DEEP, Source
from .float_bits import float_attribute
from .lexer import Lexer

_number = lru_cache(maxsize=1024)(IntAttr)
"""The attribute of a line or of a column."""


class _Values(dict[str, tuple[SSAValue, ...]]):
    """
    The values in scope, by name.

    xDSL saves and restores a copy at every region, which is quadratic in the length of a kernel
    with many; `ScopedParser` takes the names of a region away instead.
    """

    def copy(self) -> "_Values":
        return self


class FastParser(Parser):
    """xDSL's parser, where the steps taken for every token and every region are cheap."""

    def __init__(self, context: Context, source: Source):
        super().__init__(context, source.text, source.name)
        self._parser_state = ParserState(Lexer(self.lexer.input))
        self.ssa_values = _Values()
        self._types: dict[str, TypeAttribute] = {}
        self.open_regions: list[int] = []
        """The places of the braces of the regions around the current token."""
        self._forward_uses: dict[str, Span[str]] = {}
        """The first use of each value that was used before it was defined."""

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        """A number; a NaN keeps its bits, of which xDSL sets the quiet one."""
        digits = self._current_token.text
        number = super().parse_optional_builtin_int_or_float_attr()
        if isinstance(number, FloatAttr) and digits[:2] in ("0x", "0X"):
            return float_attribute(int(digits, 16), number.type)
        return number

    def parse_operation(self) -> Operation:
        results = self._parse_op_result_list()
        name = self._parse_optional_token(MLIRTokenKind.BARE_IDENT)
        generic = name is None
        text = self.parse_str_literal("an operation") if name is None else name.text
        op_type = self._get_op_by_name(text)
        dialects = self._parser_state.dialect_stack
        dialects.append(op_type.dialect_name())
        op = self._parse_generic_operation(op_type) if generic else op_type.parse(self)
        dialects.pop()
        if not generic and (location := self.parse_optional_location()) is not None:
            op.location = location
        self._name_results(op, results)
        return op

    def _name_results(self, op: Operation, names: list[tuple[Span[str], int]]) -> None:
        if not names:
            return
        values, named = op.results, sum(size for _, size in names)
        if named != len(values):
            first, last = names[0][0], names[-1][0]
            message = f"{op.name}, names of results: found {named}; legal: {len(values)}"
            self.raise_error(message, first.start, last.end)
        start = 0
        for span, size in names:
            self._register_ssa_definition(span.text[1:], values[start : start + size], span)
            start += size

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None):
        values = self.ssa_values
        outer = len(values)
        self.open_regions.append(self._current_token.span.start)
        region = super().parse_optional_region(arguments)
        self.open_regions.pop()
        while len(values) > outer:
            values.popitem()
        return region

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> MLIRToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def parse_optional_characters(self, text: str) -> str | None:
        state = self._parser_state
        span = state.current_token.span
        if span.input.content[span.start : span.end] != text:
            return None
        state.current_token = state.lexer.lex()
        return text

    def parse_optional_punctuation(
        self, punctuation: PunctuationSpelling
    ) -> PunctuationSpelling | None:
        state = self._parser_state
        if state.current_token.kind is not KIND_BY_PUNCTUATION_SPELLING[punctuation]:
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_punctuation(
        self, punctuation: PunctuationSpelling, context_msg: str = ""
    ) -> PunctuationSpelling:
        if self.parse_optional_punctuation(punctuation) is None:
            self.raise_error(f"Expected '{punctuation}'{context_msg}")
        return punctuation

    def parse_optional_unresolved_operand(self) -> UnresolvedOperand | None:
        token = self._parse_optional_token(MLIRTokenKind.PERCENT_IDENT)
        if token is None:
            return None
        index = 0
        if (suffix := self._parse_optional_token(MLIRTokenKind.HASH_IDENT)) is not None:
            if not suffix.text[1:].isdecimal():
                self.raise_error("expected the number of a result", suffix.span)
            index = int(suffix.text[1:])
        return UnresolvedOperand(token.span, index)

    def parse_unresolved_operand(self, msg: str = "operand expected") -> UnresolvedOperand:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            token = self._parser_state.current_token
            is_number = token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.FLOAT_LIT)
            hint = f": a value such as %x; arith.constant makes one of {token.text}"
            self.raise_error(msg + hint if is_number else msg)
        return operand

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        span = operand.span
        name = span.input.content[span.start + 1 : span.end]
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._forward_uses[name] = span
        return super().resolve_operand(operand, type)

    def _parse_op_result_list(self) -> list[tuple[Span[str], int]]:
        results: list[tuple[Span[str], int]] = []
        if self._parser_state.current_token.kind is not MLIRTokenKind.PERCENT_IDENT:
            return results
        results.append(self._parse_op_result())
        while self.parse_optional_punctuation(",") is not None:
            results.append(self._parse_op_result())
        self.parse_punctuation("=", " after operation result list")
        return results

    def parse_optional_type(self) -> TypeAttribute | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not MLIRTokenKind.BARE_IDENT:
            return super().parse_optional_type()
        span = token.span
        name = span.input.content[span.start : span.end]
        if (known := self._types.get(name)) is not None:
            state.current_token = state.lexer.lex()
            return known
        type_ = super().parse_optional_type()
        # Types that are more than a name, as vector<4xi32>, end elsewhere.
        if type_ is not None and str(type_) == name:
            self._types[name] = type_
        return type_


class LocatedParser(FastParser):
    """
    Gives each operation without a location the one where it begins.

    An error that an attribute or an operation raises while it is built becomes a ParseError at
    the place where that begins: the parser is already past it.
    """

    def __init__(self, context: Context, source: Source):
        super().__init__(context, source)
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
        set_parameter(location, "line", _number(line + self._lines_before))
        set_parameter(location, "column", _number(column))
        return location

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        """A number; a NaN keeps its bits, of which xDSL sets the quiet one."""
        digits = self._current_token.text
        number = super().parse_optional_builtin_int_or_float_attr()
        if isinstance(number, FloatAttr) and digits[:2] in ("0x", "0X"):
            return float_attribute(int(digits, 16), number.type)
        return number

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        try:
            operation = super().parse_operation()
        except ParseError:
            raise
        except RecursionError:
            span = Span(start, start + 1, self.lexer.input)
            raise ParseError(span, TOO_DEEP) from None
        except Exception as error:
            span = Span(start, start + 1, self.lexer.input)
            raise ParseError(span, _description(error)) from error
        if operation.location is UNKNOWN_LOC:
            operation.location = self._location(start)
        return operation

    def _parse_dialect_type_or_attribute_body(
        self,
        attr_name: str,
        is_type: bool,
        is_opaque: bool,
        starting_opaque_pos: Position | None,
    ):
        end = self._current_token.span.start
        try:
            return super()._parse_dialect_type_or_attribute_body(
                attr_name, is_type, is_opaque, starting_opaque_pos
            )
        except ParseError as error:
            if not error.msg.endswith("is not registered"):
                raise
            known = self.ctx.loaded_types if is_type else self.ctx.loaded_attrs
            message = f"unknown {'type' if is_type else 'attribute'} {attr_name}"
            hint = did_you_mean(attr_name, (each.name for each in known))
            raise ParseError(self._span_before(attr_name, end), message + hint) from error
        except RecursionError:
            raise
        except Exception as error:
            raise ParseError(self._span_before(attr_name, end), _description(error)) from error

    def _span_before(self, text: str, end: Position) -> Span[str]:
        """The last place before a position where a text stands, or the position: an escape may
        stand for a character."""
        source = self.lexer.input
        start = source.content.rfind(text, 0, end)
        return Span(end, end + 1, source) if start < 0 else Span(start, start + len(text), source)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            legal = frozenset(self.ctx.registered_dialect_names)
            if name.partition(".")[0] in legal:
                hint = did_you_mean(name, (op.name for op in self.ctx.loaded_ops))
            else:
                hint = f"; legal: operations of {describe(legal)}"
            # The parser is already past the name.
            span = self._span_before(name, self.pos)
            raise ParseError(span, f"unknown operation {name}{hint}") from error

    def _parse_block(self) -> Block:
        if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
            self.raise_error("expected an operation, the label of a block, or }")
        return super()._parse_block()

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if self._current_token.kind == MLIRTokenKind.EOF:
            self.raise_error("expected an operation, but the input is empty")
        try:
            return super().parse_module(allow_implicit_module)
        except ParseError as error:
            undefined = [self.first_use(name) for name in self.forward_ssa_references]
            if not undefined or not error.msg.startswith("values used but not defined"):
                raise
            raise undefined_error(min(undefined, key=lambda span: span.start)) from error

    def first_use(self, name: str) -> Span[str]:
        """The first use of a value that is not defined."""
        return self._forward_uses[name]


def undefined_error(use: Span[str]) -> ParseError:
    """The error of a value that is used and never defined."""
    return ParseError(use, f"{use.text} is used but not defined")


def _description(error: Exception) -> str:
    """
    What to say of an error; xDSL raises whatever odd text leads it to.

    Of these kinds the text is meant for readers: its parsers raise NotImplementedError for syntax
    of MLIR that they do not have, and say which.
    """
    if isinstance(error, DiagnosticException | ValueError | NotImplementedError):
        return str(error)
    return f"cannot be read ({type(error).__name__}: {error})"
