"""Parser of IR text that records the location of each operation."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, AttributeInvT, Block, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation, VariadicDef
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

_QUALIFIER = re.compile(r"(?:::\w+)+")
_CLOSE = 0.7
"""Minimum similarity of an unknown operation to a suggestion, from 0 to 1."""
_LISTED = 24
"""Maximum number of operations that a message lists."""
_number = lru_cache(maxsize=1024)(IntAttr)
"""The attribute for a line or column number."""


class _Values(dict[str, tuple[SSAValue, ...]]):
    """
    The values in scope, by name.

    xDSL saves and restores a copy at every region, which takes quadratic time in a kernel with many
    regions. `parse_optional_region` removes the names of a region instead.
    """

    def copy(self) -> "_Values":
        return self


class FastParser(Parser):
    """xDSL's parser with faster handling of tokens and regions."""

    def __init__(self, context: Context, source: Source):
        super().__init__(context, source.text, source.name)
        self._parser_state = ParserState(Lexer(self.lexer.input))
        self.ssa_values = _Values()
        self._types: dict[str, TypeAttribute] = {}
        self._misplaced: tuple[int, int] | None = None
        """The positions of the first pair of braces whose indentation differs."""
        self._operation = ""
        """The name of the operation that was begun last."""
        self.open_regions: list[int] = []
        """The positions of the opening braces of the regions around the current token."""
        self._forward_uses: dict[str, Span[str]] = {}
        """The first use of each value that is used before its definition."""

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        """Parse a number. A NaN keeps its bits; xDSL would set the quiet bit."""
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
        self._operation = text
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
            given = f"{_count(named, 'name')} {'is' if named == 1 else 'are'} given before ="
            message = f"{op.name} has {_count(len(values), 'result')}, but {given}"
            if not values and _may_have_results(op):
                message += "; write the type of each result after ->, as in -> i32"
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
        self._note_misplaced(self.open_regions.pop())
        while len(values) > outer:
            values.popitem()
        return region

    def _note_misplaced(self, opened: int) -> None:
        text = self.lexer.input.content
        closed = text.rfind("}", 0, self._current_token.span.start)
        before = text[text.rfind("\n", 0, closed) + 1 : closed]
        line = text[text.rfind("\n", 0, opened) + 1 : opened]
        is_outside = not before.strip() and len(before) < len(line) - len(line.lstrip())
        if is_outside and self._misplaced is None:
            self._misplaced = opened, closed

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
            self.raise_error(f"Expected '{punctuation}'{context_msg}", self._missing())
        return punctuation

    def parse_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region:
        region = self.parse_optional_region(arguments)
        if region is None:
            message = f"Expected '{{', which begins a region of {self._operation}"
            self.raise_error(message, self._missing())
        return region

    def _missing(self) -> Span[str]:
        """The span for a missing token: after a line break, the end of the line before it."""
        span = self._current_token.span
        before = span.input.content[: span.start]
        line = before.rstrip()
        if "\n" not in before[len(line) :] or "//" in line[line.rfind("\n") + 1 :]:
            return span
        return Span(len(line), len(line) + 1, span.input)

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
        values = self.ssa_values.get(name, ())
        if operand.index < len(values) and (found := values[operand.index].type) != type:
            message = f"%{name} has type {found}, but is used here with type {type}"
            if self._operation == "scf.for" and isinstance(type, IndexType):
                message += f"; write : {found} before the {{ of the loop"
            self.raise_error(message, span)
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
        # Not for types that continue after the name, such as vector<4xi32>.
        if type_ is not None and str(type_) == name:
            self._types[name] = type_
        return type_


class LocatedParser(FastParser):
    """
    A parser that gives each operation without a location the location where its text begins.

    An error in the construction of an attribute or an operation becomes a ParseError at its
    beginning, because the parser's position is already after it.
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
        # The constructor would verify the parameters again, which takes most of the time.
        location = FileLineColLoc.__new__(FileLineColLoc)
        set_parameter = object.__setattr__
        set_parameter(location, "filename", self._file)
        set_parameter(location, "line", _number(line + self._lines_before))
        set_parameter(location, "column", _number(column))
        return location

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
        """The last occurrence of a text before a position; if it was escaped, the position."""
        source = self.lexer.input
        start = source.content.rfind(text, 0, end)
        return Span(end, end + 1, source) if start < 0 else Span(start, start + len(text), source)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            hint = self._known_operations(name)
            # The parser's position is already after the name.
            span = self._span_before(name, self.pos)
            raise ParseError(span, f"unknown operation {name}{hint}") from error

    def _known_operations(self, name: str) -> str:
        """The hint for an unknown operation: what to write instead."""
        if self.lexer.input.content.startswith("::", self._span_before(name, self.pos).end):
            return "; qualifiers of PTX are attributes in IR, as in {cta_group = 2}"
        legal = frozenset(self.ctx.registered_dialect_names)
        dialect, _, own = name.partition(".")
        if dialect not in legal:
            return f"; the dialects are {describe(legal)}"
        known = {
            op.name.partition(".")[2] for op in self.ctx.loaded_ops if op.dialect_name() == dialect
        }
        close = did_you_mean(own, known, cutoff=_CLOSE)
        if close:
            return close.replace("mean ", f"mean {dialect}.")
        if len(known) <= _LISTED:
            return f"; {dialect} has {describe(frozenset(known))}"
        family = frozenset(each for each in known if each[:1] == own[:1])
        if not family:
            return ""
        return f"; operations of {dialect} that begin with {own[:1]}: {describe(family)}"

    def parse_attribute(self) -> Attribute:
        token = self._current_token
        after = token.span.input.content[token.span.end :]
        if token.kind is MLIRTokenKind.BARE_IDENT and (rest := _QUALIFIER.match(after)):
            text = token.text + rest[0]
            span = Span(token.span.start, token.span.end + rest.end(), token.span.input)
            number = rest[0].rpartition(":")[2]
            written = f"{number}, or in quotes" if number.isdecimal() else "it in quotes"
            raise ParseError(span, f"{text} is PTX, not an attribute of IR; write {written}")
        return super().parse_attribute()

    def _parse_block(self) -> Block:
        if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
            if self._current_token.kind is MLIRTokenKind.EOF and self.open_regions:
                raise self._unclosed()
            self.raise_error("expected an operation, the label of a block, or }")
        return super()._parse_block()

    def _unclosed(self) -> ParseError:
        """The error for a region that is not closed, at its opening brace."""
        source = self.lexer.input
        opened, closed = self._misplaced or (self.open_regions[-1], None)
        message = "this { is not closed"
        if closed is not None:
            number = source.content.count("\n", 0, closed) + 1 + self._lines_before
            message += f": the }} in line {number} is indented for another"
        return ParseError(Span(opened, opened + 1, source), message)

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
        """The first use of a value that is used before its definition."""
        return self._forward_uses[name]


def undefined_error(use: Span[str]) -> ParseError:
    """The error for a value that is used but never defined."""
    return ParseError(use, f"{use.text} is used but not defined")


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _may_have_results(op: Operation) -> bool:
    if not isinstance(op, IRDLOperation):
        return False
    return any(isinstance(each, VariadicDef) for _, each in op.get_irdl_definition().results)


def _description(error: Exception) -> str:
    """
    The message of an error that xDSL raises for unexpected text.

    The classes below have messages for users. xDSL raises NotImplementedError for MLIR syntax that
    it does not support, and names the syntax.
    """
    if isinstance(error, DiagnosticException | ValueError | NotImplementedError):
        return str(error)
    return f"cannot be read ({type(error).__name__}: {error})"
