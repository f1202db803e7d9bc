"""Copies of tiles by the tensor memory accelerator."""

from abc import ABC
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

from xdsl.dialects.builtin import I64, DenseArrayBase, StringAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.instructions.barriers import DIMENSIONS
from ..isa.instructions.copies import COPIED_ROWS, ROW_COPY_RANK, TENSOR_REDUCTION
from ..isa.model.rule import Violation, extents_text, raise_any
from ..isa.practice import BOX_RULE, MULTICAST_RULE, OPERAND_RULE
from ..isa.shared_memory.tensor_map import Box
from ..ptx.instruction import segment_sizes
from ..ptx.kernel import KernelOp
from ..ptx.register_types import B32
from ..ptx.types import TensorMapType
from ..tcgen05.base import typed_operand, violations_reported
from ..xdsl_support.attributes import one_of
from .base import (
    SharedTileType,
    WsOperation,
    check_mixed,
    enclosing,
    mixed,
    parse_index,
    parse_value,
    print_attributes,
    print_index,
    split,
)
from .boxes import Part, PlacedBox, Sharing, boxes_of, first_part, inner_dimensions, sharing_along
from .roles import WarpSpecializeOp
from .vectors import vector_shape

_REDUCTIONS = sorted(TENSOR_REDUCTION.values("operation"))


class _TmaOp(WsOperation, ABC):
    """A copy of a tile between a tensor and shared memory."""

    tensor_map = typed_operand(TensorMapType, what="tensor map")
    tile = typed_operand(SharedTileType, what="tile")
    indices = var_operand_def(B32)
    rows = var_operand_def()
    static_indices = prop_def(DenseArrayBase[I64])
    elements = opt_prop_def(UnitAttr)
    halves = opt_prop_def(DenseArrayBase[I64])
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def optional_operands(cls) -> Sequence[str]:
        return ("rows",)

    @property
    def is_half(self) -> list[bool]:
        """Whether each index counts tiles whose halves the CTAs of a pair have."""
        if self.halves is None:
            return [False] * len(self.static_indices.get_values())
        return [bool(each) for each in self.halves.get_values()]

    @property
    def mixed_indices(self) -> list[SSAValue | int]:
        """The indices, each a value or a number."""
        return mixed(self.indices, self.static_indices)

    @property
    def box(self) -> Box:
        """What one instruction copies: the box of the tensor map, or the boxes of some rows."""
        box = self.tensor_map.type.box
        assert box is not None
        return replace(box, extents=(box.extents[0], COPIED_ROWS)) if self.rows else box

    @property
    def boxes(self) -> list[PlacedBox]:
        """The boxes of the tile. Raises Violation."""
        return boxes_of(self.tile.type, self.box, of_rows=bool(self.rows))

    @property
    def around(self) -> WarpSpecializeOp | None:
        """The roles of the kernel; None if the operation is in none."""
        found = (each for each in enclosing(self) if isinstance(each, WarpSpecializeOp))
        return next(found, None)

    def verify_(self) -> None:
        with violations_reported():
            check_mixed(self.indices, self.static_indices)
            raise_any(self._map_violations())
            _ = self.boxes
            around = self.around
            if self.halves is not None and (around is None or around.pair is None):
                legal = "left out, because the CTAs do not form pairs"
                raise OPERAND_RULE.violation("half", legal, "half", culprit="half")
            found, legal = len(self.is_half), len(self.static_indices.get_values())
            if found != legal:
                what = "the number of halves"
                raise OPERAND_RULE.violation(found, f"{legal}, one for each index", what)

    def _map_violations(self) -> Iterator[Violation]:
        box = self.tensor_map.type.box
        indices = len(self.static_indices.get_values()) + bool(self.rows)
        if box is None:
            legal = "a type with a box, such as !ptx.tensor_map<128x64xbf16, swizzle_128b>"
            found = self.tensor_map.type
            yield BOX_RULE.violation(found, legal, "tensor map", culprit="tensor_map")
        elif indices != (counted := len(box.extents) - inner_dimensions(self.tile.type, box)):
            legal = f"{counted}, as the tensor map has"
            if self.tile.type.copied is not None:
                legal = f"{counted}, the dimensions of the tensor map around a block"
            yield OPERAND_RULE.violation(indices, legal, "the number of indices")
        elif self.rows:
            yield from self._rows_violations(box)

    def _rows_violations(self, box: Box) -> Iterator[Violation]:
        """The violations by rows that are not adjacent in the tensor."""
        if len(box.extents) != ROW_COPY_RANK or box.extents[-1] != 1:
            legal = f"1 x {box.extents[0]}, one row, because the copy has a list of rows"
            found = extents_text(box.extents[::-1])
            yield BOX_RULE.violation(found, legal, "the box", culprit="tensor_map")
        rows, what = self.tile.type.extents[0], "the rows"
        types = [each.type for each in self.rows]
        shape = vector_shape(types[0])
        given = types if shape is None or len(types) > 1 else [shape[1]] * shape[0]
        if given != [i32] * rows:
            found = ", ".join(map(str, dict.fromkeys(types)))
            found = found if len(types) == 1 else f"{len(types)} values of {found}"
            legal = f"a vector<{rows}xi32>, or {rows} values of i32, one for each row of the tile"
            yield OPERAND_RULE.violation(found, legal, what, culprit="rows")


def _parse_place(
    parser: Parser, tile: SSAValue | None = None
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Parse a tensor map and its indices and, unless it is given, the tile that follows."""
    tensor_map = parse_value(parser)
    elements = parser.parse_optional_keyword("at") is not None
    with parser.in_square_brackets():
        rows = _parse_rows(parser)
        has_more = not rows or parser.parse_optional_punctuation(",") is not None
        indices = (
            parser.parse_comma_separated_list(
                parser.Delimiter.NONE, lambda: _parse_index(parser, elements)
            )
            if has_more
            else []
        )
    values, numbers = split([index for _, index in indices])
    if tile is None:
        parser.parse_keyword("to")
        tile = parse_value(parser)
    properties: dict[str, Attribute] = {
        "static_indices": numbers,
        AttrSizedOperandSegments.attribute_name: segment_sizes((1, 1, len(values), len(rows))),
    }
    if any(is_half for is_half, _ in indices):
        halves = [int(is_half) for is_half, _ in indices]
        properties["halves"] = DenseArrayBase.from_list(i64, halves)
    if elements:
        properties["elements"] = UnitAttr()
    return [tensor_map, tile, *values, *rows], properties


def _parse_rows(parser: Parser) -> list[SSAValue]:
    """Parse the rows of a tensor that are not adjacent: a vector, or values in parentheses."""
    if parser.parse_optional_keyword("rows") is None:
        return []
    several = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_value(parser)
    )
    return [parse_value(parser)] if several is None else several


def _parse_index(parser: Parser, elements: bool) -> tuple[bool, SSAValue | int]:
    is_half = not elements and parser.parse_optional_keyword("half") is not None
    return is_half, parse_index(parser)


def _print_place(op: _TmaOp, printer: Printer) -> None:
    printer.print_ssa_value(op.tensor_map)
    if op.elements is not None:
        printer.print_string(" at ")
    with printer.in_square_brackets():
        if op.rows:
            printer.print_string("rows" if len(op.rows) > 1 else "rows ")
            with nullcontext() if len(op.rows) == 1 else printer.in_parens():
                printer.print_list(op.rows, printer.print_ssa_value)
            printer.print_string(", " if op.is_half else "")
        printer.print_list(
            zip(op.is_half, op.mixed_indices, strict=True),
            lambda each: _print_index(printer, *each),
        )


def _print_index(printer: Printer, is_half: bool, index: SSAValue | int) -> None:
    printer.print_string("half " if is_half else "")
    print_index(printer, index)


@irdl_op_definition
class TmaLoadOp(_TmaOp):
    """
    Load a tile from a tensor.

        ws.tma_load %tensor_map[<index>, ...] to %tile (multicast(<x|y|z>))?
        ws.tma_load %tensor_map at [<coordinate>, ...] to %tile (multicast(<x|y|z>))?
        ws.tma_load %tensor_map[rows <list>, <index>] to %tile

    The indices count tiles along each dimension of the tensor, the contiguous dimension last; with
    `at` they count elements. In a pair `half %index` counts tiles of both CTAs, of which the leader
    has the first half and the other CTA the second. The tile is loaded box by box. Elements outside
    of the tensor are zero.

    With `multicast(x)`, the CTAs of a cluster along x want the same tile: each loads an equal part
    of its boxes, and sends it to all of them. With `half`, they are those that have the same half.

    `rows` selects arbitrary rows of a matrix for the tile. The numbers of the rows are a vector of
    i32, `rows %list`, or values, `rows(%row, ...)`; the box of the tensor map is one row. The rows
    are copied four at a time, and each CTA loads its own. Rows outside of the matrix are zero.

    - `tensor_map`: its type gives the box
    - `tile`: a buffer of a region by tma
    - `indices`: values or numbers; outer dimensions, whose boxes have one element, come first
    - `rows`: the numbers of the rows, in place of the index along them
    - `multicast`: the dimension of the cluster

    A tensor of scale factors or metadata has the blocks that `tcgen05.cp` copies: its innermost
    dimensions make up one block and have no index. The two dimensions outside of them count blocks:
    the inner one along the columns, the outer one along the rows.
    """

    name = "ws.tma_load"
    multicast = opt_prop_def(one_of(DIMENSIONS))

    @classmethod
    def parse(cls, parser: Parser) -> "TmaLoadOp":
        operands, properties = _parse_place(parser)
        if parser.parse_optional_keyword("multicast") is not None:
            with parser.in_parens():
                properties["multicast"] = StringAttr(parser.parse_identifier())
        return cls.create(
            operands=operands,
            properties=properties,
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_place(self, printer)
        printer.print_string(" to ")
        printer.print_ssa_value(self.tile)
        if self.multicast is not None:
            printer.print_string(f" multicast({self.multicast.data})")
        print_attributes(printer, self)

    @property
    def sharing(self) -> Sharing | None:
        """The CTAs that want the same tile; None if each wants its own."""
        if self.multicast is None or (around := self.around) is None:
            return None
        dimension = self.multicast.data
        halves = dimension == DIMENSIONS[0] and any(self.is_half)
        found = sharing_along(dimension, around.cluster, around.ctas if halves else 1)
        return found if found.ctas > 1 else None

    @property
    def part(self) -> Part:
        """The boxes that the first of the CTAs loads that want the tile. Raises Violation."""
        sharing = self.sharing
        if sharing is None:
            return Part(self.boxes, PlacedBox(0, 0, 0))
        return first_part(self.boxes, sharing.ctas)

    def verify_(self) -> None:
        super().verify_()
        with violations_reported():
            raise_any(self._multicast_violations())
            _ = self.part

    def _multicast_violations(self) -> Iterator[Violation]:
        if self.multicast is None:
            return
        if self.multicast.data not in DIMENSIONS:
            what = "the dimension of the multicast"
            yield MULTICAST_RULE.violation(self.multicast.data, DIMENSIONS, what)
        if self.rows:
            legal = "left out, because each CTA loads rows of its own list"
            yield MULTICAST_RULE.violation("multicast", legal, "multicast", culprit="multicast")
        kernel = None if self.around is None else self.around.parent_op()
        if isinstance(kernel, KernelOp) and kernel.extents("cluster_dims") is None:
            what, help_ = (
                "cluster_dims of the kernel",
                "give the kernel {cluster_dims = array<i32: 2>}",
            )
            legal = "the extents of a cluster"
            yield MULTICAST_RULE.violation("none", legal, what, culprit="multicast", help=help_)


@irdl_op_definition
class TmaStoreOp(_TmaOp):
    """
    Store a tile to a tensor.

        ws.tma_store %tile to %tensor_map[<index>, ...] (<reduction>)?
        ws.tma_store %tile to %tensor_map at [<coordinate>, ...] (<reduction>)?
        ws.tma_store %tile to %tensor_map[rows <list>, <index>]

    It is the last use of the tile in a production by threads, and stores the data that the threads
    have written. The ring has no consumer: a stage is free when it has been read. Elements outside
    of the tensor are not stored. See `ws.tma_load`.

    - `reduction`: combines each element with that of the tensor, such as `add`; each element is
      updated atomically, so that several CTAs may add to one tile
    """

    name = "ws.tma_store"
    reduction = opt_prop_def(one_of(_REDUCTIONS))

    @classmethod
    def parse(cls, parser: Parser) -> "TmaStoreOp":
        tile = parse_value(parser)
        parser.parse_keyword("to")
        operands, properties = _parse_place(parser, tile)
        for name in _REDUCTIONS:
            if parser.parse_optional_keyword(name) is not None:
                properties["reduction"] = StringAttr(name)
        return cls.create(
            operands=operands,
            properties=properties,
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tile)
        printer.print_string(" to ")
        _print_place(self, printer)
        if self.reduction is not None:
            printer.print_string(f" {self.reduction.data}")
        print_attributes(printer, self)

    def verify_(self) -> None:
        super().verify_()
        if self.reduction is not None:
            with violations_reported():
                if self.rows:
                    legal, what = "left out, because the copy has a list of rows", "the reduction"
                    raise OPERAND_RULE.violation(self.reduction.data, legal, what)
                TENSOR_REDUCTION.check(operation=self.reduction.data, element=self.box.element)
