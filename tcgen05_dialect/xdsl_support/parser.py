"""
Parser of IR text that records the location of each operation, and words its errors.

Each error names the text at its place; xDSL gives many errors a place after the mistake. Uses these
private names of xDSL: `_current_token`, `_get_op_by_name`, `_parse_alias_def`, `_parse_block`,
`_parse_dialect_type_or_attribute_body`, `_parse_extended_type_or_attribute`,
`_parse_file_metadata_dictionary`, `_parser_state`. It can be deleted when xDSL keeps locations.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, NoReturn, overload

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IndexType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, AttributeInvT, Block, Operation, Region, SSAValue, TypeAttribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..isa.model.rule import close_names, describe, did_you_mean, meant
from ..reporting.diagnostics import TOO_DEEP, Source, TextError
from .fast_parser import FastParser, file_line_column
from .syntax_errors import QUALIFIER_HELP, RESULTS, described, description, expectation, sentence

_QUALIFIER = re.compile(r"(?:::\w+)+")
_CLOSE = 0.7
"""Minimum similarity of an unknown operation to a suggestion, from 0 to 1."""
_LISTED = 24
"""Maximum number of operations that a message lists."""
_ALIASES = frozenset((MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT))
_STATEMENT = re.compile(r'[%}^!#"]|[a-zA-Z_]\w*\.|\Z')
"""The beginning of a line that begins a statement, or that ends a region."""
_DEFINES = re.compile(rf"{RESULTS}(?!=)")
"""The results of an operation: at the beginning of a line, they begin the next statement."""
_CODE = re.compile(r'(?:"(?:[^"\\\n]|\\.)*+"|/(?!/)|[^/\n])*+')
"""A line up to its comment."""


class LocatedParser(FastParser):
    """
    A parser that gives each operation without a location the location where its text begins.

    An error in the construction of an attribute or an operation becomes a ParseError at its name,
    because the parser's position is already after it.
    """

    def __init__(self, context: Context, source: Source, names: dict[SSAValue, str] | None = None):
        super().__init__(context, source, names)
        lengths = (len(line) + 1 for line in source.text.split("\n"))
        self._line_starts = list(accumulate(lengths, initial=0))
        self._lines_before = source.lines_before
        self._file = StringAttr(source.name)
        self.open_regions: list[int] = []
        """The positions of the opening braces of the regions around the current token."""
        self._misplaced: tuple[int, int] | None = None
        """The positions of the first pair of braces whose indentation differs."""
        self._forward_uses: dict[str, Span[str]] = {}
        """The first use of each value that is used before its definition."""

    # Locations.

    def _location(self, position: int) -> FileLineColLoc:
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return file_line_column(self._file, line + self._lines_before, column)

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        try:
            operation = super().parse_operation()
        except ParseError:
            raise
        except RecursionError:
            raise TextError(Span(start, start + 1, self.lexer.input), TOO_DEEP) from None
        except Exception as error:
            span = self._first(self._operation, start)
            raise TextError(span, f"{self._operation}: {description(error)}") from error
        if operation.location is UNKNOWN_LOC:
            operation.location = self._location(start)
        if type(operation) is ModuleOp:
            # Refused before verification: xDSL gives no operations of other modules.
            counts = [len(region.blocks) for region in operation.regions]
            if counts != [1]:
                message = f"{operation.name} must have one block; found {sum(counts)}"
                raise TextError(self._first(operation.name, start), message)
        return operation

    # Errors.

    def raise_error(
        self,
        msg: str,
        at_position: Span[str] | Position | None = None,
        end_position: Position | None = None,
        help: str = "",
    ) -> NoReturn:
        """
        Raise an error: by default at the current token, or at a place up to the current token.

        If the message says what was expected, it also says what was found.
        """
        token = self._current_token
        start = at_position.start if isinstance(at_position, Span) else at_position
        if isinstance(at_position, Span):
            span = at_position
        elif start is None or start >= token.span.start:
            span = token.span
        else:
            behind = token.span.start if end_position is None else end_position
            text = token.span.input.content[start:behind].rstrip()
            span = Span(start, start + len(text), token.span.input)
        expected = expectation(msg)
        if expected is None:
            raise TextError(span, sentence(msg), help)
        names = (self._operation, f"{self._parser_state.dialect_stack[-1]}.{self._operation}")
        found_types = (self.ctx.get_optional_op(name) for name in names if self._operation)
        op_type = next(filter(None, found_types), None)
        found = described(span)
        if span is token.span and (line_end := self._ended_line(span)) is not None:
            span, found = line_end, "the end of the line"
        # Imported here, because only messages need it.
        from .syntax_errors import hint

        help = help or hint(expected, span, self._operation, op_type)
        raise TextError(span, f"expected {expected.phrase}; found {found}", help)

    @staticmethod
    def _ended_line(span: Span[str]) -> Span[str] | None:
        """The end of the statement before a token, if the token begins the next one."""
        text = span.input.content
        start = text.rfind("\n", 0, span.start) + 1
        if text[start : span.start].strip() or not _STATEMENT.match(text, span.start):
            return None
        while start > 0:
            end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
            code = _CODE.match(text, start, end)
            if code is not None and (own := code[0].rstrip()):
                return Span(start + len(own), start + len(own) + 1, span.input)
        return None

    def _first(self, text: str, start: Position) -> Span[str]:
        """The first occurrence of a text after a position; if it was escaped, the position."""
        source = self.lexer.input
        found = source.content.find(text, start)
        while found >= 0 and self._is_comment(found):
            found = source.content.find(text, found + 1)
        begin, end = (start, start + 1) if found < 0 else (found, found + len(text))
        return Span(begin, end, source)

    def _last(self, text: str, end: Position) -> Span[str]:
        """The last occurrence of a text before a position; if it was escaped, the position."""
        source = self.lexer.input
        start = source.content.rfind(text, 0, end)
        while start >= 0 and self._is_comment(start):
            start = source.content.rfind(text, 0, start)
        return Span(end, end + 1, source) if start < 0 else Span(start, start + len(text), source)

    def _is_comment(self, position: Position) -> bool:
        """Whether a position is in a comment."""
        text = self.lexer.input.content
        code = _CODE.match(text, text.rfind("\n", 0, position) + 1)
        return code is not None and code.end() <= position

    # Attributes and types.

    def parse_attribute(self) -> Attribute:
        token = self._current_token
        after = token.span.input.content[token.span.end :]
        if token.kind is MLIRTokenKind.BARE_IDENT and (rest := _QUALIFIER.match(after)):
            text = token.text + rest[0]
            span = Span(token.span.start, token.span.end + rest.end(), token.span.input)
            number = rest[0].rpartition(":")[2]
            written = f"{number}, or in quotes" if number.isdecimal() else "it in quotes"
            raise TextError(span, f"{text} is PTX, not an attribute of IR", f"write {written}")
        try:
            return super().parse_attribute()
        except (ParseError, RecursionError):
            raise
        except Exception as error:
            raise TextError(token.span, description(error)) from error

    @overload
    def _parse_extended_type_or_attribute(
        self, attr_or_dialect_name: str, is_type: Literal[False]
    ) -> Attribute: ...

    @overload
    def _parse_extended_type_or_attribute(
        self, attr_or_dialect_name: str, is_type: Literal[True]
    ) -> TypeAttribute: ...

    def _parse_extended_type_or_attribute(
        self, attr_or_dialect_name: str, is_type: bool
    ) -> Attribute:
        name = f"{'!' if is_type else '#'}{attr_or_dialect_name}"
        is_alias = "." not in name and self._current_token.kind is not MLIRTokenKind.LESS
        if is_alias and name not in self.attribute_aliases:
            span = self._last(name, self.pos)
            help_ = did_you_mean(name, self.attribute_aliases)
            raise TextError(span, f"the alias {name} is not defined", help_)
        return super()._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)

    def _parse_dialect_type_or_attribute_body(
        self,
        attr_name: str,
        is_type: bool,
        is_opaque: bool,
        starting_opaque_pos: Position | None,
    ):
        end = self._current_token.span.start
        find = self.ctx.get_optional_type if is_type else self.ctx.get_optional_attr
        if "." in attr_name and find(attr_name) is None:
            known = self.ctx.loaded_types if is_type else self.ctx.loaded_attrs
            message = f"unknown {'type' if is_type else 'attribute'} {attr_name}"
            help_ = did_you_mean(attr_name, (each.name for each in known))
            raise TextError(self._last(attr_name, end), message, help_)
        try:
            return super()._parse_dialect_type_or_attribute_body(
                attr_name, is_type, is_opaque, starting_opaque_pos
            )
        except (ParseError, RecursionError):
            raise
        except Exception as error:
            raise TextError(self._last(attr_name, end), description(error)) from error

    # Operations.

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            # The parser's position is already after the name.
            span = self._last(name, self.pos)
            if "." not in name and self._follows_an_operation(span.start):
                help_ = QUALIFIER_HELP if span.input.content.startswith("::", span.end) else ""
                message = f"expected the end of {self._operation}; found {name}"
                raise TextError(span, message, help_) from error
            help_ = self._known_operations(name, span)
            raise TextError(span, f"unknown operation {name}", help_) from error

    def _follows_an_operation(self, position: int) -> bool:
        """Whether a position follows text of an operation in its line."""
        text = self.lexer.input.content
        line = text[text.rfind("\n", 0, position) + 1 : position].rstrip()
        return bool(self._operation and line) and line[-1] not in "{}=:"

    def _known_operations(self, name: str, span: Span[str]) -> str:
        """The help for an unknown operation: what to write instead."""
        if span.input.content.startswith("::", span.end):
            return QUALIFIER_HELP
        legal = frozenset(self.ctx.registered_dialect_names)
        dialect, _, own = name.partition(".")
        if dialect not in legal:
            return f"the dialects are {describe(legal)}"
        found = self.ctx.get_optional_dialect(dialect)
        known = {op.name.partition(".")[2] for op in found.operations} if found else set[str]()
        if known and not own:
            return f"write an operation of the dialect {dialect}, such as {dialect}.{min(known)}"
        close = did_you_mean(own, known, cutoff=_CLOSE) or _longer(own, known)
        if close:
            return close.replace("mean ", f"mean {dialect}.")
        if len(known) <= _LISTED:
            return f"{dialect} has {describe(frozenset(known))}"
        first = own.partition(".")[0]
        family = frozenset(each for each in known if each.startswith(f"{first}."))
        if family:
            return f"operations that begin with {dialect}.{first}: {describe(family)}"
        family = frozenset(each for each in known if each[:1] == own[:1])
        if not family:
            return ""
        return f"operations of {dialect} that begin with {own[:1]}: {describe(family)}"

    def parse_optional_unresolved_operand(self) -> UnresolvedOperand | None:
        start = self._current_token.span.start
        text = self.lexer.input.content
        # Most operands follow another token and at most one space.
        if text[start - 1].isspace() and text[start - 2].isspace() and _DEFINES.match(text, start):
            before = text.rfind("\n", 0, start) + 1
            if not text[before:start].strip():
                return None
        return super().parse_optional_unresolved_operand()

    def parse_unresolved_operand(self, msg: str = "expected an operand") -> UnresolvedOperand:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            token = self._current_token
            is_number = token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.FLOAT_LIT)
            write = f"write a value such as %x; arith.constant makes one of {token.text}"
            self.raise_error(msg, help=write if is_number else "")
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
            is_bound = self._operation == "scf.for" and isinstance(type, IndexType)
            help_ = f"write : {found} before the {{ of the loop" if is_bound else ""
            raise TextError(span, message, help_)
        return super().resolve_operand(operand, type)

    # Regions.

    def parse_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region:
        region = self.parse_optional_region(arguments)
        if region is None:
            self.raise_error(f"expected '{{', which begins a region of {self._operation}")
        return region

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None):
        self.open_regions.append(self._current_token.span.start)
        try:
            region = super().parse_optional_region(arguments)
        except MultipleSpansParseError as error:
            unknown = [span for spans in self.forward_block_references.values() for span in spans]
            if unknown != [span for span, _ in error.refs]:
                raise
            first = min(unknown, key=lambda span: span.start)
            message = f"no block in this region has the label {first.text}"
            raise TextError(first, message, self._known_blocks(first.text)) from error
        self._note_misplaced(self.open_regions.pop())
        return region

    def _known_blocks(self, name: str) -> str:
        """The help for an unknown block: what to write instead."""
        known = [f"^{each}" for each in self.blocks.keys() - self.forward_block_references.keys()]
        return did_you_mean(name, known) or f"begin a block with {name}:"

    def _note_misplaced(self, opened: int) -> None:
        text = self.lexer.input.content
        closed = text.rfind("}", 0, self._current_token.span.start)
        before = text[text.rfind("\n", 0, closed) + 1 : closed]
        line = text[text.rfind("\n", 0, opened) + 1 : opened]
        is_outside = not before.strip() and len(before) < len(line) - len(line.lstrip())
        if is_outside and self._misplaced is None:
            self._misplaced = opened, closed

    def _parse_block(self) -> Block:
        token = self._current_token
        if token.kind is not MLIRTokenKind.CARET_IDENT:
            if token.kind is MLIRTokenKind.EOF and self.open_regions:
                raise self._unclosed()
            message = "expected an operation, the label of a block, or }"
            raise TextError(token.span, f"{message}; found {described(token.span)}")
        return super()._parse_block()

    def _unclosed(self) -> ParseError:
        """The error for a region that is not closed, at its opening brace."""
        source = self.lexer.input
        opened, closed = self._misplaced or (self.open_regions[-1], None)
        message = "this { is not closed"
        if closed is not None:
            number = source.content.count("\n", 0, closed) + 1 + self._lines_before
            message += f": the }} in line {number} is indented for another"
        return TextError(Span(opened, opened + 1, source), message)

    # Modules.

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        operations = self._parse_operations()
        undefined = [self.first_use(name) for name in self.forward_ssa_references]
        if undefined:
            raise undefined_error(min(undefined, key=lambda span: span.start))
        match operations:
            case [ModuleOp() as module]:
                return module
            case _ if allow_implicit_module:
                return ModuleOp(operations)
            case _:
                span = Span(0, 1, self.lexer.input)
                raise TextError(span, "expected builtin.module around all operations")

    def _parse_operations(self) -> list[Operation]:
        """Parse the whole text: operations, aliases and file metadata."""
        operations: list[Operation] = []
        while (token := self._current_token).kind is not MLIRTokenKind.EOF:
            if token.kind in _ALIASES:
                self._parse_alias_def()
            elif token.kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif (operation := self.parse_optional_operation()) is not None:
                operations.append(operation)
            elif (token := self._current_token).kind not in _ALIASES | {MLIRTokenKind.EOF}:
                message = f"expected an operation; found {described(token.span)}"
                is_brace = token.kind is MLIRTokenKind.R_BRACE
                help_ = "remove this } or an earlier one: every { before it is already closed"
                raise TextError(token.span, message, help_ if is_brace else "")
        if not operations:
            self._refuse_empty()
        return operations

    def _refuse_empty(self) -> None:
        """Refuse a text without an operation."""
        raise TextError(self._current_token.span, "expected an operation, but the input is empty")

    def first_use(self, name: str) -> Span[str]:
        """The first use of a value that is used before its definition."""
        return self._forward_uses[name]


def _longer(name: str, known: Iterable[str]) -> str:
    """The question "did you mean" for a name that is similar to the first words of a known name."""
    words = name.count(".") + 1
    shortened = {".".join(each.split(".")[:words]): each for each in sorted(known, reverse=True)}
    return meant([shortened[each] for each in close_names(name, shortened, cutoff=_CLOSE)])


_NAMES = re.compile(r"%[\w.$-]+")


def undefined_error(
    use: Span[str], known: Iterable[str] | None = None, before: str = ""
) -> ParseError:
    """
    The error for a value that is used but not defined. Its help names a similar value: one of the
    `known` names or, without them, one of the text. Similar names have the same digits.
    """
    if known is None:
        known = (each[1:] for each in _NAMES.findall(use.input.content))
    number = re.sub(r"\D", "", use.text)
    names = {f"%{each}" for each in known if re.sub(r"\D", "", each) == number}
    help_ = did_you_mean(use.text, sorted(names - {use.text}))
    return TextError(use, f"{use.text} is used but not defined{before}", help_)
