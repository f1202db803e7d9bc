"""
The tiles of `ws.warp_specialize`: syntax, order, rules, and responses to requests for more of them
(9.7.13.16).

Responses are the stages of a ring that only the lowering of `clc` makes: one more warp produces
them, and all roles consume them.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, f32, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.instructions.barriers import RESPONSE
from ..isa.model.rule import Violation
from ..isa.practice import ROLE_RULE
from ..isa.shared_memory.layout import MAJORS
from ..ptx.register_types import PRED
from ..tcgen05.base import typed_operand
from .base import RingType, SharedTileType, WsOperation, parse_number, parse_value
from .boxes import EVERY, Cluster, Sharing

MOST_TILES = 3
"""Number of dimensions of a grid, and so of tiles."""
_FLAGS = ("persistent", "clc")
_NUMBERS = ("group",)


class Tiles(NamedTuple):
    """The indices of a tile, sizes with the extents of tiles, and properties for the order."""

    names: Sequence[Parser.Argument]
    sizes: Sequence[tuple[SSAValue, int]]
    order: Mapping[str, Attribute]


def parse_tiles(parser: Parser) -> Tiles:
    """Parse `tiles(%i, ...) of (%size by <extent>, ...) <order>`, if it is there."""
    if parser.parse_optional_keyword("tiles") is None:
        return Tiles((), (), {})
    names = [
        name.resolve(i32)
        for name in parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
    ]
    parser.parse_keyword("of")
    position = parser.pos
    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_size(parser))
    if len(sizes) != len(names) or len(sizes) > MOST_TILES:
        legal = f"one size for each of {len(names)} indices, at most {MOST_TILES}"
        parser.raise_error(f"expected {legal}; found {len(sizes)}", position)
    order: dict[str, Attribute] = {}
    for flag in _FLAGS:
        if parser.parse_optional_keyword(flag) is not None:
            order[flag] = UnitAttr()
    for number in _NUMBERS:
        if parser.parse_optional_keyword(number) is not None:
            order[number] = parse_number(parser)
    return Tiles(names, sizes, order)


def _parse_size(parser: Parser) -> tuple[SSAValue, int]:
    size = parse_value(parser)
    parser.parse_keyword("by")
    return size, parser.parse_integer(allow_boolean=False, allow_negative=False)


def print_tiles(
    printer: Printer,
    indices: Sequence[SSAValue],
    sizes: Sequence[tuple[SSAValue, int]],
    properties: Mapping[str, Attribute],
) -> None:
    """Print what `parse_tiles` parses; nothing without sizes."""
    if not sizes:
        return
    printer.print_string(" tiles")
    with printer.in_parens():
        printer.print_list(indices, printer.print_ssa_value)
    printer.print_string(" of ")
    with printer.in_parens():
        printer.print_list(sizes, lambda each: _print_size(printer, *each))
    for flag in _FLAGS:
        printer.print_string(f" {flag}" if flag in properties else "")
    for name in _NUMBERS:
        if isinstance(number := properties.get(name), IntegerAttr):
            printer.print_string(f" {name}({number.value.data})")


def _print_size(printer: Printer, size: SSAValue, extent: int) -> None:
    printer.print_ssa_value(size)
    printer.print_string(f" by {extent}")


def order_violations(
    extents: Sequence[int], group: int | None, cluster_tiles: Sequence[int], has_two_orders: bool
) -> Iterator[Violation]:
    """The violations by the extents and the order of tiles, and by the number of tiles of a group.
    `cluster_tiles` are the tiles of a cluster along each dimension."""
    if len(extents) > MOST_TILES:
        what = "the number of dimensions of tiles"
        yield ROLE_RULE.violation(len(extents), f"at most {MOST_TILES}", what)
    if has_two_orders:
        yield ROLE_RULE.violation("both", "persistent or clc", "the order of tiles")
    for extent in extents:
        if extent < 1:
            yield ROLE_RULE.violation(extent, "1 or more", "the extent of a tile")
    if group is None:
        return
    if len(extents) < len(_PLANE):
        what = "the number of dimensions of tiles in groups"
        yield ROLE_RULE.violation(len(extents), f"{len(_PLANE)} or more", what, culprit="group")
    unit = max(cluster_tiles[0], 1)
    if group < 1 or group % unit:
        legal = "1 or more" if unit == 1 else f"a multiple of {unit}, the tiles of a cluster"
        what = "the number of tiles of a group along the first dimension"
        yield ROLE_RULE.violation(group, legal, what, culprit="group")


_PLANE = ("rows", "columns")
"""The dimensions along which groups lie."""


STAGES = 2
"""A role may be two tiles ahead of the last one, as with two accumulators."""
_ROWS = 8
"""The rows of the smallest tile."""
TILE = SharedTileType.get(_ROWS, RESPONSE.bytes // f32.size, f32, MAJORS[0], "no_swizzle")
"""A tile whose first row is a response."""
RING = RingType.get(STAGES, (TILE,))


def sharing_of(cluster: Cluster) -> Sharing | None:
    """The CTAs that get the same responses: all of a cluster."""
    ctas = prod(cluster)
    return Sharing(EVERY, 1, ctas, 1) if ctas > 1 else None


@irdl_op_definition
class TryCancelOp(WsOperation):
    """
    Ask for the tile of another cluster, and wait for the response. It is no part of the dialect:
    only the lowering makes it.

    - `tile`: where the response goes
    - `more`: whether there is another tile
    """

    name = "ws.try_cancel"
    tile = typed_operand(SharedTileType, what="tile")
    more = result_def(PRED)
