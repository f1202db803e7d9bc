"""The types of the `ws` dialect: tiles in shared memory, rings of stages, and held stages."""

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..isa.shared_memory.layout import SharedMemoryLayout
from ..tcgen05.types import SharedMemoryDescriptorType, TensorMemoryType


@irdl_attr_definition
class SharedTileType(ParametrizedAttribute, TypeAttribute):
    """
    A tile in shared memory: `!ws.smem<128x64xbf16, k_major, swizzle_128b>`.

    The parameters are those of `!tcgen05.smem_descriptor`. They give the size of the tile, its
    alignment and the place of each element.
    """

    name = "ws.smem"
    descriptor: SharedMemoryDescriptorType = param_def()

    @classmethod
    def get(cls, mn: int, k: int, element: Attribute, major: str, swizzle: str) -> Self:
        """The type of a tile of `mn` x `k` elements."""
        return cls(SharedMemoryDescriptorType.get(mn, k, element, major, swizzle))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        position = parser.pos
        tile = SharedMemoryDescriptorType.new(SharedMemoryDescriptorType.parse_parameters(parser))
        if tile.k_origin.data:
            parser.raise_error("a tile begins at k = 0", position)
        return (tile,)

    def print_parameters(self, printer: Printer) -> None:
        self.descriptor.print_parameters(printer)

    @property
    def layout(self) -> SharedMemoryLayout:
        """The layout of the tile."""
        return self.descriptor.layout

    @property
    def extents(self) -> tuple[int, int]:
        """The extents of the tile as a tensor map has them: the contiguous dimension is last."""
        layout = self.layout
        return (layout.k, layout.mn) if layout.transposed else (layout.mn, layout.k)


Buffer = SharedTileType | TensorMemoryType
"""The type of a buffer of a stage."""


@irdl_attr_definition
class RingType(ParametrizedAttribute, TypeAttribute):
    """
    A ring of stages, and the buffers that each stage holds: `!ws.ring<4 x (!a, !b)>`.
    """

    name = "ws.ring"
    stages: IntAttr = param_def()
    buffers: ArrayAttr[SharedTileType | TensorMemoryType] = param_def()

    @classmethod
    def get(cls, stages: int, buffers: Sequence["Buffer"]) -> Self:
        """The type of a ring of so many stages, each with these buffers."""
        return cls(IntAttr(stages), ArrayAttr(buffers))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            stages = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_keyword("x")
            buffers = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parse_buffer_type(parser)
            )
        return IntAttr(stages), ArrayAttr(buffers)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.stages.data} x ")
            with printer.in_parens():
                printer.print_list(self.buffers, printer.print_attribute)


def parse_buffer_type(parser: AttrParser) -> Buffer:
    """Parse the type of a buffer."""
    position = parser.pos
    type_ = parser.parse_type()
    if not isinstance(type_, Buffer):
        message = "expected the type of a buffer, !ws.smem or !tcgen05.tmem"
        parser.raise_error(f"{message}; found {type_}", position)
    return type_
