"""
Reader of StableHLO text, and the attributes of StableHLO that kernels need: xDSL lacks the dialect.

Text in the generic form is parsed directly; its operations are unregistered. Other text first goes
through jaxlib, which has the dialect and prints the generic form.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Data, Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.lexer import Input, Span

from .reporting.diagnostics import CompileError, Source, TextError
from .xdsl_support.parser import LocatedParser

if TYPE_CHECKING:
    from xdsl.context import Context

_CUSTOM = re.compile(
    r"^\s*+(?:%[\w:, %]+=\s*+)?+(?:stablehlo|chlo)\.|#stablehlo\.conv<raw", re.MULTILINE
)
"""The beginning of an operation in a custom form, or of an attribute in a long form."""
_PLACE = re.compile(r'"([^"<]+)":(\d+):(\d+)')
"""A file, a line and a column in a location of MLIR."""

_NAME = re.compile(r'loc\("([a-zA-Z_][^"]*)"\)')
"""The location of an argument of a function of JAX."""
_TEXT = "-"
"""The name that MLIR gives to a text."""


def parse_stablehlo(context: "Context", source: Source) -> ModuleOp:
    """Parse a module with StableHLO. Raises ParseError and CompileError."""
    if _CUSTOM.search(source.text) is None:
        return parse_generic(context, source)
    return from_mlir(context, _parsed(source), source.name)


def parse_generic(context: "Context", source: Source) -> ModuleOp:
    """Parse a module in the generic form. Raises ParseError."""
    context.load_dialect(STABLEHLO)
    context.allow_unregistered = True
    return LocatedParser(context, source).parse_module()


def from_mlir(context: "Context", module: Any, name: str = "") -> ModuleOp:
    """A module of jaxlib in xDSL; its operations have the locations that they have there. `name` is
    the file of its text."""
    text: str = module.operation.get_asm(print_generic_op_form=True)
    parsed = parse_generic(context, Source("<stablehlo>", text))
    for op, place in zip(parsed.walk(), _locations(module.operation), strict=True):
        found = _PLACE.search(place)
        op.location = UNKNOWN_LOC
        if found is not None:
            line, column = (IntAttr(int(each)) for each in found.groups()[1:])
            file = name if found[1] == _TEXT else found[1]
            op.location = FileLineColLoc(StringAttr(file), line, column)
    for own, given in zip(parsed.body.block.ops, module.body.operations, strict=True):
        if not own.regions or not own.regions[0].blocks:
            continue
        arguments = given.regions[0].blocks[0].arguments
        for value, argument in zip(own.regions[0].blocks[0].args, arguments, strict=True):
            found = _NAME.fullmatch(str(argument.location))
            if found is not None:
                # An argument in a tree is called `tree['name']`.
                value.name_hint = re.sub(r"\W+", "_", found[1]).strip("_")
    return parsed


def _locations(operation: Any) -> Iterable[str]:
    """The locations of operations, in the order of the text."""
    yield str(operation.location)
    for region in operation.regions:
        for block in region:
            for inner in block:
                yield from _locations(inner.operation)


def _parsed(source: Source) -> Any:
    """The module of a text. Raises TextError and CompileError."""
    try:
        from jax.interpreters.mlir import make_ir_context
        from jaxlib.mlir import ir
    except ImportError:
        message = "StableHLO in this form is read by jax, which is not installed"
        help_ = "install tcgen05-dialect[jax], or give the module in the generic form of MLIR"
        raise CompileError(f"{message}; {help_}", source.name) from None
    with make_ir_context():
        try:
            return cast(Any, ir).Module.parse(source.text)
        except ir.MLIRError as error:
            first = error.error_diagnostics[0]
            found = _PLACE.search(str(first.location))
            line, column = (0, 1) if found is None else (int(found[2]) - 1, int(found[3]))
            start = sum(len(each) + 1 for each in source.text.split("\n")[:line]) + column - 1
            span = Span(start, start + 1, Input(source.text, source.name))
            raise TextError(span, first.message.strip()) from None


_LISTS = tuple(
    f"{side}_{kind}_dimensions" for kind in ("batching", "contracting") for side in ("lhs", "rhs")
)


@irdl_attr_definition
class DotAttr(Data[tuple[tuple[int, ...], ...]]):
    """`#stablehlo.dot`: the batch dimensions of both operands of a product, and those that are
    summed over."""

    name = "stablehlo.dot"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[tuple[int, ...], ...]:
        found: dict[str, list[int]] = {}
        with parser.in_angle_brackets():
            while (key := parser.parse_optional_identifier()) is not None:
                parser.parse_punctuation("=")
                found[key] = parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, parser.parse_integer
                )
                parser.parse_optional_punctuation(",")
        return tuple(tuple(found.get(key, ())) for key in _LISTS)

    def print_parameter(self, printer: Printer) -> None:
        texts = (f"{key} = {[*each]}" for key, each in zip(_LISTS, self.data, strict=True))
        printer.print_string(f"<{', '.join(texts)}>")


@irdl_attr_definition
class ConvAttr(Data[tuple[tuple[str, ...], ...]]):
    """`#stablehlo.conv`: the dimensions of the input, of the filter and of the result."""

    name = "stablehlo.conv"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[tuple[str, ...], ...]:
        lists: list[tuple[str, ...]] = []
        with parser.in_angle_brackets():
            for before in ("", "x", "->"):
                if before:
                    parser.parse_characters(before)
                words = parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE,
                    lambda: parser.parse_optional_identifier() or str(parser.parse_integer()),
                )
                lists.append(tuple(words))
        return tuple(lists)

    def print_parameter(self, printer: Printer) -> None:
        a, b, c = (f"[{', '.join(each)}]" for each in self.data)
        printer.print_string(f"<{a}x{b}->{c}>")

    def places(self) -> list[dict[str, int]]:
        """The dimensions of each tensor by their names."""
        return [{word: at for at, word in enumerate(each)} for each in self.data]


class _Word(Data[str]):
    """An enumeration, such as `#stablehlo<comparison_direction LT>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        is_closed = parser.parse_optional_punctuation("<") is not None
        word = parser.parse_identifier()
        if is_closed:
            parser.parse_punctuation(">")
        return word

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


@irdl_attr_definition
class ComparisonDirectionAttr(_Word):
    """EQ, NE, GE, GT, LE or LT."""

    name = "stablehlo.comparison_direction"


STABLEHLO = Dialect("stablehlo", [], [DotAttr, ConvAttr, ComparisonDirectionAttr])
