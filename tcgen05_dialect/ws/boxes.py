"""
The boxes of tensor maps that a tile consists of, the parts that the CTAs of a cluster load by
multicast, and the order of the tiles of `ws.warp_specialize`.

Responses to requests for more tiles (9.7.13.16) are the stages of a ring that only the lowering of
`clc` makes: one more warp produces them, and all roles consume them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from math import prod
from operator import mul
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, f32, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.instructions.barriers import DIMENSIONS, RESPONSE
from ..isa.instructions.copies import COPIED_ROWS, ROW_COPY_RANK, TILE
from ..isa.mma.products import SCALE
from ..isa.model.rule import Violation, extents_text
from ..isa.practice import BOX_RULE, MULTICAST_RULE, ROLE_RULE
from ..isa.shared_memory.descriptor import SWIZZLES
from ..isa.shared_memory.layout import MAJORS, SharedMemoryLayout
from ..isa.shared_memory.tensor_map import SUB_BYTE_ELEMENTS, Box, element_type, fitting_elements
from ..ptx.register_types import PRED
from ..tcgen05.base import typed_operand
from .base import RingType, SharedTileType, WsOperation, parse_number, parse_value


class PlacedBox(NamedTuple):
    """A box of a tile: its first element (slow dimension, contiguous dimension) in the tile, and
    its first byte."""

    row: int
    column: int
    byte: int


def boxes_of(tile: SharedTileType, box: Box, of_rows: bool = False) -> list[PlacedBox]:
    """The boxes that a tile consists of, which may be parts of swizzle atoms if the copy has a list
    `of_rows`. Raises Violation if the tile does not consist of such boxes."""
    if tile.copied is not None:
        return _boxes_of_blocks(tile, box)
    layout, extents = tile.layout, tile.extents
    columns, rows, *outer = (*box.extents, 1)
    _check_box(tile, box, (rows, columns), outer)
    # A copy writes the rows of a box one after the other, so the atoms of a box must be adjacent.
    atom_rows, width = layout.atom[::-1] if layout.transposed else layout.atom
    stride = layout.k_stride if layout.transposed else layout.mn_stride
    is_adjacent = stride == layout.atom_bytes
    if of_rows:
        _check_rows(columns, width, layout)
    elif columns != width or rows % atom_rows or not (is_adjacent or rows == atom_rows):
        atom = extents_text((atom_rows, width))
        more = f"or a multiple of {atom_rows} rows that divides {extents[0]}"
        legal = f"{atom}, {more if is_adjacent else 'one swizzle atom'}"
        other = "give the map such a box, or the tile the other order of its atoms (mn_first)"
        help_ = "" if is_adjacent else other
        if rows == 1 and columns == width and len(box.extents) == ROW_COPY_RANK:
            help_ = (
                "give the map such a box; or load rows from a list, as in ws.tma_load %map[rows "
                "%list, %index]"
            )
        found = extents_text((rows, columns))
        raise BOX_RULE.violation(
            found, legal, "the extents of the box", culprit="tensor_map", help=help_
        )
    return [
        PlacedBox(row, column, _byte(tile, row, column))
        for column in range(0, extents[1], columns)
        for row in range(0, extents[0], rows)
    ]


def inner_dimensions(tile: SharedTileType, box: Box) -> int:
    """The number of innermost dimensions of a tensor that no index counts: those of a block of
    scale factors or metadata; 0 for other tiles. Raises Violation."""
    if tile.copied is None:
        return 0
    legal, bytes_ = tile.blocks.block_bytes, box.kind.item_bits // 8
    for at, extent in enumerate(box.extents, 1):
        bytes_ *= extent
        if bytes_ == legal and len(box.extents) >= at + len(tile.extents):
            return at
    block = "scale factors" if tile.copied.role.data == SCALE else tile.copied.role.data
    text = f"innermost ones of {legal} bytes, a block of {block}, and two around it"
    found = extents_text(box.extents[::-1])
    raise BOX_RULE.violation(found, text, "the extents of the box", culprit="tensor_map")


def _boxes_of_blocks(tile: SharedTileType, box: Box) -> list[PlacedBox]:
    """The boxes of a tile of scale factors or metadata; rows and columns count blocks."""
    inner = inner_dimensions(tile, box)
    columns, rows, *outer = box.extents[inner:]
    _check_outer(box, outer)
    _check_divides(tile, (rows, columns))
    if box.mode.is_swizzled:
        legal, what = "no_swizzle", "swizzle mode of the tensor map"
        raise BOX_RULE.violation(box.swizzle, legal, what, culprit="tensor_map")
    if box.kind.bits < 8:
        legal, what = "elements of 8 bits or more", "elements of the tensor map"
        raise BOX_RULE.violation(box.element, legal, what, culprit="tensor_map")
    extents = tile.extents
    if rows > 1 and columns < extents[1]:
        # Blocks of the same rows are adjacent in the tile.
        legal = f"{extents_text((1, columns))} or {extents_text((rows, extents[1]))}"
        what = "the blocks of the box"
        raise BOX_RULE.violation(extents_text((rows, columns)), legal, what, culprit="tensor_map")
    return [
        PlacedBox(row, column, tile.blocks.block(row, column).byte)
        for column in range(0, extents[1], columns)
        for row in range(0, extents[0], rows)
    ]


def _byte(tile: SharedTileType, row: int, column: int) -> int:
    layout = tile.layout
    mn, k = (column, row) if layout.transposed else (row, column)
    return layout.linear_byte_offset(mn, k)


def _check_box(tile: SharedTileType, box: Box, own: tuple[int, int], outer: Sequence[int]) -> None:
    name = "tensor_map"
    _check_outer(box, outer)
    _check_divides(tile, own)
    descriptor = tile.descriptor
    if box.swizzle != descriptor.swizzle.data:
        legal = f"{descriptor.swizzle.data}, as the tile has"
        raise BOX_RULE.violation(box.swizzle, legal, "swizzle mode of the tensor map", culprit=name)
    layout, element = tile.layout, descriptor.element_type
    fitting = fitting_elements(element.name, layout.container_bits)
    if box.element not in fitting:
        usual = element_type(element.name, element.bits, layout.container_bits)
        legal = {usual, *fitting - SUB_BYTE_ELEMENTS.keys()}
        raise BOX_RULE.violation(box.element, legal, "elements of the tensor map", culprit=name)


def _check_rows(columns: int, width: int, layout: SharedMemoryLayout) -> None:
    """Raise Violation unless copies of some rows, of a box of one row each, make up an atom."""
    legal = [
        name for name, each in SWIZZLES.items() if not COPIED_ROWS * each.width % TILE.alignment
    ]
    if layout.swizzle not in legal:
        what = "swizzle mode of a tile with a list of rows"
        help_ = f"each copy of {COPIED_ROWS} rows begins at a multiple of {TILE.alignment} bytes"
        raise BOX_RULE.violation(layout.swizzle, legal, what, culprit="tile", help=help_)
    if columns != width:
        found, legal = extents_text((1, columns)), f"{extents_text((1, width))}, a row of an atom"
        raise BOX_RULE.violation(found, legal, "the extents of the box", culprit="tensor_map")


def _check_outer(box: Box, outer: Sequence[int]) -> None:
    if any(each != 1 for each in outer):
        found, what = extents_text(box.extents[::-1]), "the outer extents of the box"
        raise BOX_RULE.violation(found, "1", what, culprit="tensor_map")


def _check_divides(tile: SharedTileType, own: tuple[int, int]) -> None:
    extents = tile.extents
    if any(whole % part for whole, part in zip(extents, own, strict=True)):
        unit = "the tile" if tile.copied is None else "the blocks of the tile"
        found, legal = extents_text(own), f"divisors of {extents_text(extents)}, {unit}"
        raise BOX_RULE.violation(found, legal, "the extents of the box", culprit="tensor_map")


EVERY = "every"
"""In place of a dimension: along the ranks of all CTAs of a cluster."""
Cluster = tuple[int, int, int]
"""The extents of a cluster in CTAs."""


class Sharing(NamedTuple):
    """The CTAs of a cluster that want the same tiles: so many along a dimension, whose ranks have
    the distance `step`. `unit` neighbours along the dimension want different tiles."""

    dimension: str
    unit: int
    ctas: int
    step: int

    @property
    def ranks(self) -> frozenset[int]:
        """The ranks of the CTAs with rank 0."""
        return frozenset(self.step * position for position in range(self.ctas))

    def place(self, rank: int, cluster: Cluster) -> tuple[int, int]:
        """The first rank of the CTAs with a rank, and the position of this one among them."""
        if self.dimension == EVERY:
            return 0, rank
        at = DIMENSIONS.index(self.dimension)
        stride = _strides(cluster)[at]
        position = rank // stride % cluster[at] // self.unit
        return rank - position * self.step, position


def _strides(cluster: Cluster) -> Sequence[int]:
    """The distance of the ranks of neighbours along each dimension."""
    return [*accumulate((1, *cluster), mul)]


def position_of(rank: int, cluster: Cluster) -> Cluster:
    """The position of a CTA in its cluster."""
    x, y, z = (
        rank // stride % extent for stride, extent in zip(_strides(cluster), cluster, strict=False)
    )
    return x, y, z


def sharing_along(dimension: str, cluster: Cluster, unit: int) -> Sharing:
    """The CTAs along a dimension; `unit` neighbours want different tiles."""
    at = DIMENSIONS.index(dimension)
    return Sharing(dimension, unit, cluster[at] // unit, unit * _strides(cluster)[at])


def widest(sharings: Iterable[Sharing]) -> tuple[Sharing, ...]:
    """The sharings, without those between CTAs that share all by another."""
    found = [*dict.fromkeys(sharings)]
    return tuple(each for each in found if not any(each.ranks < other.ranks for other in found))


def receivers(sharings: Iterable[Sharing], cluster: Cluster, rank: int) -> frozenset[int]:
    """The ranks of the CTAs to which a CTA sends parts of tiles, itself included."""
    found = {rank}
    for sharing in sharings:
        first, _ = sharing.place(rank, cluster)
        found.update(first + each for each in sharing.ranks)
    return frozenset(found)


def mask_of(ranks: Collection[int]) -> int:
    """The mask with the bits of CTAs."""
    return reduce(lambda mask, rank: mask | 1 << rank, ranks, 0)


class Part(NamedTuple):
    """The boxes that the first CTA loads, and their distance from the boxes of the next CTA."""

    boxes: Sequence[PlacedBox]
    distance: PlacedBox


def first_part(boxes: Sequence[PlacedBox], ctas: int) -> Part:
    """The part of the boxes of a tile that the first of some CTAs loads: as many rows as the others
    or, if the rows cannot be divided, as many columns. Raises Violation."""
    size, rest = divmod(len(boxes), ctas)
    for order in () if rest else _ORDERS:
        ordered = sorted(boxes, key=order)
        first, *others = (ordered[at : at + size] for at in range(0, len(boxes), size))
        distance = PlacedBox(*(b - a for a, b in zip(first[0], others[0][0], strict=True)))
        if others == [[_moved(box, distance, n) for box in first] for n in range(1, ctas)]:
            return Part(first, distance)
    legal = f"a multiple of {ctas}, the number of CTAs that share the tile"
    raise MULTICAST_RULE.violation(
        len(boxes),
        legal,
        "the number of boxes of the tile",
        culprit="tensor_map",
        help="give the tensor map a smaller box, or leave out multicast",
    )


def _by_rows(box: PlacedBox) -> tuple[int, int]:
    return box.row, box.column


def _by_columns(box: PlacedBox) -> tuple[int, int]:
    return box.column, box.row


_ORDERS = (_by_rows, _by_columns)


def _moved(box: PlacedBox, distance: PlacedBox, times: int) -> PlacedBox:
    return PlacedBox(*(a + times * b for a, b in zip(box, distance, strict=True)))


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


RESPONSE_STAGES = 2
"""A role may be two tiles ahead of the last one, as with two accumulators."""
_ROWS = 8
"""The rows of the smallest tile."""
RESPONSE_TILE = SharedTileType.get(_ROWS, RESPONSE.bytes // f32.size, f32, MAJORS[0], "no_swizzle")
"""A tile whose first row is a response."""
RESPONSE_RING = RingType.get(RESPONSE_STAGES, (RESPONSE_TILE,))


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
