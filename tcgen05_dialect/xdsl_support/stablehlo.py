"""
The attributes of StableHLO that front ends need; xDSL has no such dialect.

The text is in the generic form, and operations are unregistered. Uses no private names. It can be
deleted when xDSL has the dialect.
"""

from collections.abc import Mapping

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Data, Dialect, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class DotAttr(ParametrizedAttribute):
    """`#stablehlo.dot`: the dimensions of the operands of a product."""

    name = "stablehlo.dot"
    lhs_batching_dimensions: DenseArrayBase
    rhs_batching_dimensions: DenseArrayBase
    lhs_contracting_dimensions: DenseArrayBase
    rhs_contracting_dimensions: DenseArrayBase

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[DenseArrayBase]:
        found: dict[str, list[int]] = {}
        with parser.in_angle_brackets():
            while (key := parser.parse_optional_identifier()) is not None:
                parser.parse_punctuation("=")
                found[key] = parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, parser.parse_integer
                )
                parser.parse_optional_punctuation(",")
        return [DenseArrayBase.from_list(i64, found.get(key, [])) for key in cls.lists()]

    @staticmethod
    def lists() -> tuple[str, ...]:
        """The names of the parameters."""
        sides = [
            f"{side}_{kind}_dimensions"
            for kind in ("batching", "contracting")
            for side in ("lhs", "rhs")
        ]
        return tuple(sides)

    def print_parameters(self, printer: Printer) -> None:
        lists: Mapping[str, DenseArrayBase] = dict(zip(self.lists(), self.parameters, strict=True))
        with printer.in_angle_brackets():
            texts = (f"{key} = {[*each.get_values()]}" for key, each in lists.items())
            printer.print_string(", ".join(texts))


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
