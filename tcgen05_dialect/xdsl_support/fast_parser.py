"""
Replacements for slow parts of xDSL's reading of IR, and lazy imports, because imports dominate
start-up time:

- a lexer that reads most tokens with one regular expression (`Lexer`);
- a parser with faster steps for tokens, results and regions (`FastParser`);
- locations that are made without the verification of their parameters (`file_line_column`);
- a context that imports the operations of a dialect by family, at the first use of one
  (`FamilyContext`): an operation takes 0.1 ms to define, and most kernels use a few families.

Uses that attributes of xDSL are frozen dataclasses, and these private names of xDSL:
`_TensorLiteralElement`, `_current_token`, `_get_known_op`, `_get_op_by_name`, `_loaded_dialects`,
`_loaded_ops`, `_parse_generic_operation`, `_parse_op_result_list`, `_parse_optional_token`,
`_parser_state`, `_register_ssa_definition`, `_registered_dialects`. It can be deleted when xDSL is
as fast and finds the operations of a dialect by name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    FileLineColLoc,
    FloatAttr,
    FusedLoc,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation, VariadicDef
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRLexer,
    MLIRToken,
    MLIRTokenKind,
    PunctuationSpelling,
)

from ..isa.model.rule import plural
from ..reporting.diagnostics import Source, TextError
from .attributes import drop_promises, float_attribute, float_of
from .elementwise import CUSTOM_FORMS
from .operation_format import formats_parsed_at_first_use
from .syntax_errors import no_token

_TOKEN = re.compile(
    r"""
    (?: [ \t\n\r\f\v]++ | //[^\n]*+ )*+             # what stands before a token
    (?: ([a-zA-Z_][\w$.]*+)                         # a bare identifier
      | ([%!^]) (?: [0-9]++ | [a-zA-Z$._-][\w$.-]*+ )  # a prefix and its identifier
      | (->|\{(?!-\#)|[:,()}\[\]<>=+/*?|])          # punctuation that begins nothing else
    )
    """,
    re.ASCII | re.VERBOSE,
)
_KINDS = {
    **KIND_BY_PUNCTUATION_SPELLING,
    "%": MLIRTokenKind.PERCENT_IDENT,
    "!": MLIRTokenKind.EXCLAMATION_IDENT,
    "^": MLIRTokenKind.CARET_IDENT,
}
_BARE_IDENTIFIER = MLIRTokenKind.BARE_IDENT


class _Span(Span[str]):
    """A span without protection against changes; it is created in a third of the time."""

    # Both are needed: Python's fast path requires that neither is overridden.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__

    def __init__(self, start: int, end: int, input: Input[str], line_offset: int = 0):
        self.start = start  # pyright: ignore[reportAttributeAccessIssue]
        self.end = end  # pyright: ignore[reportAttributeAccessIssue]
        self.input = input  # pyright: ignore[reportAttributeAccessIssue]
        if line_offset:
            self.line_offset = line_offset  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def text(self) -> str:
        return self.input.content[self.start : self.end]


class Lexer(MLIRLexer):
    """
    Returns the same tokens as xDSL's lexer.

    It takes less than half the time. xDSL's lexer takes a fifth of the time of parsing.
    """

    # xDSL's expression made possessive: xDSL's takes exponential time for a string without an end.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def lex(self) -> MLIRToken:
        match = _TOKEN.match(self.input.content, self.pos)
        if match is None or (group := match.lastindex) is None:
            return self._rare_token()
        kind = _BARE_IDENTIFIER if group == 1 else _KINDS[match[group]]
        self.pos = match.end()
        return Token(kind, _Span(match.start(group), self.pos, self.input))

    def _rare_token(self) -> MLIRToken:
        try:
            return super().lex()
        except ParseError as error:
            span = Span(error.span.start, error.span.end, self.input)
            raise TextError(span, *no_token(span)) from error


class _Values(dict[str, tuple[SSAValue, ...]]):
    """
    The values in scope, by name.

    xDSL saves and restores a copy at every region, which takes quadratic time in a kernel with many
    regions. `parse_optional_region` removes the names of a region instead.
    """

    def copy(self) -> "_Values":
        return self


class _NamedValues(_Values):
    """Values in scope that also keep, for each value of the text, how it is written there."""

    def __init__(self, names: dict[SSAValue, str]):
        super().__init__()
        self._names = names

    def __setitem__(self, name: str, values: tuple[SSAValue, ...]) -> None:
        super().__setitem__(name, values)
        is_one = len(values) == 1
        for at, value in enumerate(values):
            self._names[value] = f"%{name}" if is_one else f"%{name}#{at}"


class _Bits(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """The bits of an element of a tensor."""

    def to_type(self, parser: AttrParser, type: Any) -> Any:
        """The number with these bits."""
        if isinstance(type, AnyFloat):
            return float_of(int(self.value), type)  # pyright: ignore[reportArgumentType]
        return super().to_type(parser, type)


class FastParser(Parser):
    """A parser with the results of xDSL's parser, which may also record the names of values. A
    value does not itself keep a name that ends with a number."""

    def __init__(self, context: Context, source: Source, names: dict[SSAValue, str] | None = None):
        super().__init__(context, "", source.name)
        self._parser_state = ParserState(Lexer(Input(source.text, source.name)))
        self.ssa_values = _Values() if names is None else _NamedValues(names)
        self._types: dict[str, TypeAttribute] = {}
        self._operation = ""
        """The name of the operation whose text is being parsed, or was parsed last."""

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        """Parse a number. A NaN keeps its bits; xDSL would set the quiet bit."""
        digits = self._current_token.text
        number = super().parse_optional_builtin_int_or_float_attr()
        if isinstance(number, FloatAttr) and digits[:2] in ("0x", "0X"):
            return float_attribute(int(digits, 16), number.type)
        return number

    def _parse_tensor_literal_element(self):
        """Parse an element of a tensor. The hexadecimal digits of a float are its bits; xDSL would
        take them as a number."""
        element = super()._parse_tensor_literal_element()
        if element.span.text[:2] in ("0x", "0X"):
            return _Bits(element.is_negative, element.value, element.span)
        return element

    def parse_operation(self) -> Operation:
        results = self._parse_op_result_list()
        name = self._parse_optional_token(MLIRTokenKind.BARE_IDENT)
        generic = name is None
        if name is None:
            text = self.expect(self.parse_optional_str_literal, "expected an operation")
        else:
            text = name.text
        op_type = self._get_op_by_name(text)
        self._operation = text
        dialects = self._parser_state.dialect_stack
        dialects.append(op_type.dialect_name())
        if generic:
            op = self._parse_generic_operation(op_type)
            if op.properties:
                drop_promises(op)
        else:
            op = CUSTOM_FORMS.get(op_type.name, _own_form)(self, op_type)
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
            raise _wrong_number(op, names[0][0], names[-1][0], named)
        start = 0
        for span, size in names:
            self._register_ssa_definition(span.text[1:], values[start : start + size], span)
            start += size

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None):
        values = self.ssa_values
        outer, operation = len(values), self._operation
        # A definition in the region is not that of a name used before the region.
        awaited, self.forward_ssa_references = self.forward_ssa_references, {}
        try:
            # xDSL 0.75 takes a sequence only.
            given = None if arguments is None else tuple(arguments)
            region = super().parse_optional_region(given)
        finally:
            self._await(awaited)
        self._operation = operation
        while len(values) > outer:
            values.popitem()
        return region

    def _await(self, awaited: dict[str, dict[int, ForwardDeclaredValue]]) -> None:
        """Wait again for definitions of names used before a region, besides those used in it."""
        used, self.forward_ssa_references = self.forward_ssa_references, awaited
        for name, references in used.items():
            known = awaited.setdefault(name, {})
            for index, value in references.items():
                first = known.setdefault(index, value)
                if first is not value and first.type == value.type:
                    value.replace_all_uses_with(first)

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> MLIRToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

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
            self.raise_error(f"expected '{punctuation}'")
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


def _own_form(parser: Parser, op_type: type[Operation]) -> Operation:
    return op_type.parse(parser)


_NOTHING_FOLLOWS = re.compile(r"(?:\s*:\s*\d+)?\s*=(?=[ \t]*(?://[^\n]*)?\n)")
"""The end of the names of results in a line without an operation."""


def _wrong_number(op: Operation, first: Span[str], last: Span[str], named: int) -> TextError:
    """The error for an operation that has another number of results than the text names."""
    if (line := _NOTHING_FOLLOWS.match(last.input.content, last.end)) is not None:
        span = Span(line.end(), line.end() + 1, last.input)
        return TextError(span, "expected an operation; found the end of the line")
    names = f"{named or 'no'} {plural('name', named)}"
    given = f"{names} {'is' if named == 1 else 'are'} given before ="
    help_ = ""
    if not op.results and _may_have_results(op):
        help_ = "write the type of each result after ->, as in -> i32"
    number = len(op.results)
    message = f"{op.name} has {number or 'no'} {plural('result', number)}, but {given}"
    return TextError(Span(first.start, last.end, first.input), message, help_)


def _may_have_results(op: Operation) -> bool:
    if not isinstance(op, IRDLOperation):
        return False
    return any(isinstance(each, VariadicDef) for _, each in op.get_irdl_definition().results)


_number = lru_cache(maxsize=1024)(IntAttr)
"""The attribute for a line or column number."""
_NONE = NoneAttr()
_set = object.__setattr__


def file_line_column(file: StringAttr, line: int, column: int) -> FileLineColLoc:
    """A place in a file; line and column count from one."""
    location = FileLineColLoc.__new__(FileLineColLoc)
    _set(location, "filename", file)
    _set(location, "line", _number(line))
    _set(location, "column", _number(column))
    return location


def fused(*locations: LocationAttr) -> FusedLoc:
    """Several locations of one operation."""
    places = ArrayAttr.__new__(ArrayAttr)
    _set(places, "data", locations)
    location = FusedLoc.__new__(FusedLoc)
    _set(location, "locations", places)
    _set(location, "metadata", _NONE)
    return location


class Family(NamedTuple):
    """A family of operations."""

    words: Sequence[str]
    """The first words of the names of its operations, which may begin names of other families;
    empty for a family that is always imported."""
    load: Callable[[str | None], Sequence[type[Operation]]]
    """Its operations: all, or at least the one with a name, without that of the dialect."""


class FamilyDialect(Dialect):
    """A dialect that consists of families."""

    def __init__(
        self, name: str, families: Sequence[Family], attributes: Sequence[type[Attribute]]
    ):
        super().__init__(name, [], list(attributes))
        self.families = families

    @property
    def operations(self) -> Iterator[type[Operation]]:
        """All operations. Imports all families."""
        return chain.from_iterable(family.load(None) for family in self.families)


_FIRST_WORD = re.compile("[a-z0-9]*")


def first_word(name: str) -> str:
    """The word of the name of an operation, without that of the dialect, that names its family."""
    found = _FIRST_WORD.match(name)
    return "" if found is None else found[0]


class FamilyContext(Context):
    """A context that loads families by need, and parses the formats of operations by need."""

    def replace_dialect(self, name: str, load: Callable[[], Dialect]) -> None:
        """Load another dialect in place of a registered one, which is not loaded yet."""
        self._registered_dialects[name] = load

    def load_registered_dialect(self, name: str) -> None:
        load = self._registered_dialects.get(name)
        with formats_parsed_at_first_use():
            dialect = None if load is None else load()
        if not isinstance(dialect, FamilyDialect):
            super().load_registered_dialect(name)
            return
        self._loaded_dialects[name] = dialect
        self._load_families(name, "")
        for attribute in dialect.attributes:
            self.load_attr_or_type(attribute)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        found = super()._get_known_op(name)
        if found is None:
            dialect, _, own = name.partition(".")
            self._load_families(dialect, own)
            found = self._loaded_ops.get(name)
        return found

    def _load_families(self, name: str, own: str | None = None) -> None:
        """Load families of a loaded dialect: all, the usual ones, or those that may have an
        operation."""
        dialect = self._loaded_dialects.get(name)
        word = None if own is None else first_word(own)
        if isinstance(dialect, FamilyDialect):
            for family in dialect.families:
                if word is None or word in (family.words or ("",)):
                    self._loaded_ops.update((op.name, op) for op in family.load(own))

    @property
    def loaded_ops(self) -> Iterator[type[Operation]]:
        """All operations of the loaded dialects. Imports all their families."""
        for name in self._loaded_dialects:
            self._load_families(name)
        return iter(super().loaded_ops)


def lazy(module: str, name: str) -> Callable[[], Any]:
    """A function that imports `module` and returns its attribute `name`."""
    return lambda: getattr(import_module(module), name)
