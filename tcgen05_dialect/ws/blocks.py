"""Scale factors and metadata in shared memory: the blocks that `tcgen05.cp` copies."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import IntAttr, IntegerType, Signedness, StringAttr

from ..isa.element import INDEX, PACKINGS
from ..isa.mma.products import METADATA, SCALE
from ..isa.mma.scale import ATOM_ROWS, CELL_BYTES, ScaleFactors
from ..isa.model.rule import Violation
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from ..isa.shared_memory.tensor_map import Box
from ..isa.tensor_memory import copies
from ..isa.tensor_memory.alloc import LANES
from ..isa.warp_specialization import OPERAND_RULE
from ..tcgen05.types import SharedMemoryDescriptorType, TensorMemoryType

COPIED_ROLES = (SCALE, METADATA)
"""Roles of the matrices in tensor memory that copies fill."""
_BYTE = IntegerType(8, Signedness.UNSIGNED)
_SHAPES = {SCALE: "shape_32x128b", METADATA: "shape_128x128b"}
"""By role, the shape of the copies."""


class Block(NamedTuple):
    """A block: its first byte in the tile, and its first column in the matrix."""

    byte: int
    column: int


class Blocks(NamedTuple):
    """
    The blocks of scale factors or of metadata. A block has `rows` rows, and `columns` elements of
    each row; one copy of `shape` moves it.
    """

    matrix: TensorMemoryType
    shape: copies.Shape
    rows: int
    columns: int

    @property
    def multicast(self) -> str | None:
        """The multicast of a copy."""
        return copies.MULTICASTS.value("multicast", shape=self.shape.name)

    @property
    def block_bytes(self) -> int:
        """The number of bytes of a block."""
        return self.shape.rows * self.shape.bits // 8

    @property
    def source(self) -> SharedMemoryDescriptorType:
        """The type of the descriptor of a block."""
        return SharedMemoryDescriptorType(
            IntAttr(self.shape.rows),
            IntAttr(self.shape.bits // 8),
            _BYTE,
            StringAttr(MAJORS[False]),
            StringAttr("no_swizzle"),
            StringAttr(ATOM_ORDERS[0]),
            StringAttr(PACKINGS[0]),
            IntAttr(0),
        )

    @property
    def box(self) -> Box:
        """
        The box of all blocks, for a tensor of bytes: a block is two-dimensional, as its copy reads
        it, and the other dimensions count blocks along the rows and along the columns.
        """
        return Box((self.shape.bits // 8, self.shape.rows, *reversed(self.extents)), "u8")

    @property
    def extents(self) -> tuple[int, int]:
        """The numbers of blocks along the rows and along the columns."""
        rows, columns = self.matrix.rows.data, self.matrix.columns.data
        return -(-rows // self.rows), -(-columns // self.columns)

    @property
    def size_bytes(self) -> int:
        """The number of bytes of all blocks."""
        rows, columns = self.extents
        return rows * columns * self.block_bytes

    def block(self, row: int, column: int) -> Block:
        """A block by the numbers of its row and of its column."""
        if self.matrix.role.data == METADATA:
            return Block(column * self.block_bytes, column * self.shape.columns)
        factors = ScaleFactors(self.matrix.rows.data, self.matrix.columns.data)
        first = row * self.rows, column * self.columns
        return Block(factors.byte_offset(*first), factors.position(*first).column)

    def all(self) -> Iterator[Block]:
        """All blocks."""
        rows, columns = self.extents
        return (self.block(row, column) for row in range(rows) for column in range(columns))

    def violations(self) -> Iterator[Violation]:
        """The violations by extents that blocks cannot fill."""
        if self.matrix.role.data == METADATA:
            rows, columns = self.matrix.rows.data, self.matrix.columns.data
            if rows != self.rows or columns % self.columns:
                legal = f"{self.rows} rows, and a multiple of {self.columns} columns"
                yield OPERAND_RULE.violation(f"{rows}x{columns}", legal, "metadata to copy")


@lru_cache(maxsize=256)
def blocks_of(matrix: TensorMemoryType) -> Blocks:
    """The blocks of a matrix of role `scale` or `metadata`."""
    role = matrix.role.data
    shape = copies.SHAPES[_SHAPES[role]]
    if role == SCALE:
        return Blocks(matrix, shape, ATOM_ROWS, CELL_BYTES)
    return Blocks(matrix, shape, LANES, shape.bits // INDEX.bits)
