"""
Attributes of StableHLO that front ends need; xDSL lacks this dialect.

The text is in the generic form, and operations are unregistered. Uses no private names. It can be
deleted when xDSL has the dialect.
"""

from xdsl.ir import Data, Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

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
