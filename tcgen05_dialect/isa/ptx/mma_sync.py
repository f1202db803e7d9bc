"""
mma.sync: products of small matrices in the registers of a warp (9.7.14.5).

D = A * B + C, where A has M rows and K columns, B has K rows and N columns. Each register holds
parts of equal size; those of A and B are consecutive along K.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

BITS = {
    "f64": 64,
    "tf32": 32,
    "f32": 32,
    "s32": 32,
    "f16": 16,
    "bf16": 16,
    "e4m3": 8,
    "e5m2": 8,
    "u8": 8,
    "s8": 8,
    "u4": 4,
    "s4": 4,
    "b1": 1,
}
"""Element type -> its bits in a register."""
_GROUP = 4
"""Number of lanes that hold a row of A, or a column of B."""
_ROWS = WARP_LANES // _GROUP


class Position(NamedTuple):
    """The place of a part of a register: the product, the row and the column of the matrix."""

    product: int
    row: int
    column: int


class Shape(NamedTuple):
    """The extents of a product. A warp computes so many `products` of the shape."""

    m: int
    n: int
    k: int
    products: int = 1

    @property
    def name(self) -> str:
        """The qualifier."""
        return f"m{self.m}n{self.n}k{self.k}"

    def registers(self, matrix: str, type_: str) -> int:
        """How many registers of a thread hold a fragment of `a`, `b`, `c` or `d`."""
        rows, columns = self.extents(matrix)
        bits = BITS[type_]
        return rows * columns * self.products * bits // (WARP_LANES * max(bits, _REGISTER))

    def extents(self, matrix: str) -> tuple[int, int]:
        """The rows and columns of a matrix."""
        return {"a": (self.m, self.k), "b": (self.k, self.n)}.get(matrix, (self.m, self.n))


_REGISTER = 32
QUAD_PAIRS = Shape(8, 8, 4, products=4)
"""The shape of products by four lanes and the four lanes 16 above them (9.7.14.5.1)."""
_ROW_COL = (("row", "col"),)
_LAYOUTS = tuple(product(("row", "col"), ("row", "col")))
_BYTES, _NIBBLES = ("u8", "s8"), ("u4", "s4")
_E = ("e4m3", "e5m2")


class _Kind(NamedTuple):
    """Products of some element types: pairs of types of A and B, and of D and C."""

    shapes: tuple[Shape, ...]
    factors: Iterable[tuple[str, str]]
    sums: tuple[tuple[str, str], ...]
    layouts: tuple[tuple[str, str], ...] = _ROW_COL
    saturate: tuple[str | None, ...] = (None,)
    operations: tuple[str | None, ...] = (None,)


_F32, _F16, _S32 = (("f32", "f32"),), (("f16", "f16"),), (("s32", "s32"),)
_SATURATE = (None, "satfinite")
_KINDS = (
    _Kind((QUAD_PAIRS,), (("f16", "f16"),), (*_F32, *_F16, ("f32", "f16")), _LAYOUTS),
    _Kind((Shape(16, 8, 8), Shape(16, 8, 16)), (("f16", "f16"),), (*_F32, *_F16)),
    _Kind((Shape(16, 8, 8), Shape(16, 8, 16)), (("bf16", "bf16"),), _F32),
    _Kind((Shape(16, 8, 4), Shape(16, 8, 8)), (("tf32", "tf32"),), _F32),
    _Kind((Shape(16, 8, 16), Shape(16, 8, 32)), tuple(product(_E, _E)), (*_F32, *_F16)),
    _Kind(
        (Shape(8, 8, 16), Shape(16, 8, 16), Shape(16, 8, 32)),
        tuple(product(_BYTES, _BYTES)),
        _S32,
        saturate=_SATURATE,
    ),
    _Kind(
        (Shape(8, 8, 32), Shape(16, 8, 32), Shape(16, 8, 64)),
        tuple(product(_NIBBLES, _NIBBLES)),
        _S32,
        saturate=_SATURATE,
    ),
    _Kind(
        (Shape(8, 8, 128), Shape(16, 8, 128), Shape(16, 8, 256)),
        (("b1", "b1"),),
        _S32,
        operations=("and", "xor"),
    ),
)
_OF_F64 = _Kind(
    (Shape(8, 8, 4), Shape(16, 8, 4), Shape(16, 8, 8), Shape(16, 8, 16)),
    (("f64", "f64"),),
    (("f64", "f64"),),
)


def _rows(kinds: Iterable[_Kind]) -> Iterator[tuple[object, ...]]:
    for kind in kinds:
        for shape, (a, b), (d, c), layouts in product(
            kind.shapes, kind.factors, kind.sums, kind.layouts
        ):
            types = {"d": d, "a": a, "b": b, "c": c}
            counts = (shape.registers(matrix, type_) for matrix, type_ in types.items())
            yield (
                *(shape.name, *layouts, kind.saturate, *types.values(), kind.operations),
                *counts,
            )


_COLUMNS = (
    *("shape", "a_layout", "b_layout", "saturate", "d_type", "a_type", "b_type", "c_type"),
    *("bit_operation", "d", "a", "b", "c"),
)
_SECTION = "9.7.14.5.14"
_RULE = rule("T5-PTX-174")
MMA = Table("mma.sync", _SECTION, _COLUMNS, tuple(_rows(_KINDS)), _RULE)
_PLACES = [_COLUMNS.index(name) for name in ("shape", *_COLUMNS[4:8], *_COLUMNS[9:])]
MMA_OF_F64 = Table(
    "mma.sync of f64",
    _SECTION,
    [_COLUMNS[place] for place in _PLACES],
    tuple(tuple(row[place] for place in _PLACES) for row in _rows((_OF_F64,))),
    _RULE,
)


_FIRST_OF_FP8 = Shape(16, 8, 32).name, "f32"


def is_later_fp8(shape: str, a_type: str, d_type: str) -> bool:
    """Whether a product of fp8 has a shape or sums that need a newer PTX version."""
    return a_type in _E and (shape, d_type) != _FIRST_OF_FP8


def shape_of(name: str, a_type: str) -> Shape:
    """The shape with this name of products of a type."""
    return next(
        shape
        for kind in (*_KINDS, _OF_F64)
        for shape in kind.shapes
        if shape.name == name and any(a == a_type for a, _ in kind.factors)
    )


def positions(shape: Shape, matrix: str, type_: str, layout: str) -> list[list[list[Position]]]:
    """
    The place of each part of the registers of a fragment: lane, register, part, lowest bits first.
    `layout` is that of A or B in memory; it matters only for products by quad pairs (9.7.14.5.1 to
    9.7.14.5.13).
    """
    place = _in_quad_pair if shape is QUAD_PAIRS else _in_warp
    parts = max(1, _REGISTER // BITS[type_])
    return [
        [
            [place(shape, matrix, layout, lane, register, part, parts) for part in range(parts)]
            for register in range(shape.registers(matrix, type_))
        ]
        for lane in range(WARP_LANES)
    ]


def _in_warp(
    shape: Shape, matrix: str, layout: str, lane: int, register: int, part: int, parts: int
) -> Position:
    group, thread = divmod(lane, _GROUP)
    if matrix == "b":
        return Position(0, (register * _GROUP + thread) * parts + part, group)
    if matrix == "a":
        blocks = shape.m // _ROWS
        column, block = divmod(register, blocks)
        return Position(0, group + block * _ROWS, (column * _GROUP + thread) * parts + part)
    block, element = divmod(register * parts + part, 2)
    return Position(0, group + block * _ROWS, 2 * thread + element)


def _in_quad_pair(
    shape: Shape, matrix: str, layout: str, lane: int, register: int, part: int, parts: int
) -> Position:
    pair, upper = lane // _GROUP % _GROUP, lane // (WARP_LANES // 2) * _GROUP
    index, thread = register * parts + part, lane % _GROUP
    if matrix in ("c", "d"):
        if parts > 1:
            return Position(pair, thread + upper, index)
        return Position(
            pair, (lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1)
        )
    if (matrix == "a") == (layout == "row"):
        outer, inner = thread + upper, index
    else:
        outer, inner = index + upper, thread
    return Position(pair, outer, inner) if matrix == "a" else Position(pair, inner, outer)
