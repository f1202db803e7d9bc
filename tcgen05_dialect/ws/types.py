"""The types of the `ws` dialect: tiles in shared memory, rings of stages, and held stages."""

from collections.abc import Iterable, Sequence
from math import prod
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..isa.element import PACKINGS
from ..isa.mma.products import MATRIX_A
from ..isa.model.rule import Violation
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..isa.shared_memory.swizzle import UNIT_BYTES
from ..tcgen05.types import (
    ALL_ELEMENTS,
    SharedMemoryDescriptorType,
    TensorMemoryType,
    check_element,
    parse_matrix,
)
from .blocks import COPIED_ROLES, Blocks, blocks_of


@irdl_attr_definition
class SharedTileType(ParametrizedAttribute, TypeAttribute):
    """
    A tile in shared memory: `!ws.smem<128x64xbf16, k_major, swizzle_128b>`.

    The parameters are those of `!tcgen05.smem_descriptor`. They give the size of the tile, its
    alignment and the place of each element.

    `!ws.smem<128x4xf8E8M0FNU, scale>` has the scale factors of
    `!tcgen05.tmem<128x4xf8E8M0FNU, scale>`, and `!ws.smem<128x32xi4, metadata>` has metadata, in
    the order in which `tcgen05.cp` copies them: blocks of 128 rows and four columns of tensor
    memory, first those of the same rows.
    """

    name = "ws.smem"
    contents: SharedMemoryDescriptorType | TensorMemoryType = param_def()

    @classmethod
    def get(
        cls,
        mn: int,
        k: int,
        element: Attribute,
        major: str,
        swizzle: str,
        atom_order: str = ATOM_ORDERS[0],
        packing: str = PACKINGS[0],
    ) -> Self:
        """The type of a tile of `mn` x `k` elements."""
        words = major, swizzle, atom_order, packing
        return cls(SharedMemoryDescriptorType.get(mn, k, element, *words))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            position = parser.pos
            matrix = parse_matrix(parser, ALL_ELEMENTS)
            parser.parse_punctuation(",")
            word = parser.parse_keyword_in((*MAJORS, *COPIED_ROLES))
            if word in COPIED_ROLES:
                check_element(parser, position, word, matrix[2])
                return (TensorMemoryType.get(*matrix, word),)
            check_element(parser, position, MATRIX_A, matrix[2])
            parameters = SharedMemoryDescriptorType.parse_layout(parser, matrix, word)
            tile = SharedMemoryDescriptorType.new(parameters)
            if tile.k_origin.data:
                parser.raise_error("a tile begins at k = 0", position)
            return (tile,)

    def print_parameters(self, printer: Printer) -> None:
        self.contents.print_parameters(printer)

    @property
    def copied(self) -> TensorMemoryType | None:
        """The matrix in tensor memory to which the tile is copied; None for A, B and others."""
        return self.contents if isinstance(self.contents, TensorMemoryType) else None

    @property
    def descriptor(self) -> SharedMemoryDescriptorType:
        """The type of the descriptor of a tile of A, B and others."""
        assert isinstance(self.contents, SharedMemoryDescriptorType)
        return self.contents

    @property
    def layout(self) -> SharedMemoryLayout:
        """The layout of a tile of A, B and others."""
        return self.descriptor.layout

    @property
    def blocks(self) -> Blocks:
        """The blocks of a tile of scale factors or metadata."""
        assert self.copied is not None
        return blocks_of(self.copied)

    @property
    def size_bytes(self) -> int:
        """The size of the tile."""
        return self.layout.size_bytes if self.copied is None else self.blocks.size_bytes

    @property
    def copied_bytes(self) -> int:
        """The bytes that copies of the whole tile complete on a barrier object: without padding."""
        if self.copied is not None:
            return self.size_bytes
        return prod(self.extents) * self.descriptor.element_type.bits // 8

    @property
    def alignment(self) -> int:
        """The alignment of the tile in bytes."""
        return self.layout.alignment if self.copied is None else UNIT_BYTES

    @property
    def extents(self) -> tuple[int, int]:
        """
        The extents of the tile as a tensor map has them: the contiguous dimension is last. Those of
        scale factors and metadata count blocks.
        """
        if self.copied is not None:
            return self.blocks.extents
        layout = self.layout
        return (layout.k, layout.mn) if layout.transposed else (layout.mn, layout.k)

    def violations(self) -> Iterable[Violation]:
        """The violations by the layout of the tile."""
        return self.layout.violations() if self.copied is None else self.blocks.violations()


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


SIDES = ("produce", "consume")
"""The sides of a ring."""


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """
    A stage that a role holds: `!ws.token<produce>` until it is committed, `!ws.token<consume>`
    until it is released.
    """

    name = "ws.token"
    side: StringAttr = param_def()

    @classmethod
    def get(cls, side: str) -> Self:
        """The type of the tokens of a side, `produce` or `consume`."""
        return cls(StringAttr(side))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (StringAttr(parser.parse_keyword_in(SIDES)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.side.data)


def parse_buffer_type(parser: AttrParser) -> Buffer:
    """Parse the type of a buffer."""
    position = parser.pos
    type_ = parser.parse_type()
    if not isinstance(type_, Buffer):
        message = "expected the type of a buffer, !ws.smem or !tcgen05.tmem"
        parser.raise_error(f"{message}; found {type_}", position)
    return type_
