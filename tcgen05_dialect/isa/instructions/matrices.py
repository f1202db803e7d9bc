"""
Matrices that are distributed over the threads of a warp (9.7.14.5).

ldmatrix and stmatrix move matrices of 8 x 8 elements of 16 bits, and matrices of bytes. mma.sync
computes D = A * B + C, where A has M rows and K columns, B has K rows and N columns. Each register
holds parts of equal size; those of A and B are consecutive along K.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from tcgen05_dialect.isa.effects.model import Area, Effects, Participants, StateSpace
from tcgen05_dialect.isa.instructions.table import WordOf
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

MATRIX_ROWS = 8
ROW_BYTES = 16
"""Number of rows of a matrix, and of bytes of a row."""
ROW = Place(ROW_BYTES, ROW_BYTES)
MATRICES = Limit(
    rule("T5-PTX-017"),
    frozenset((1, 2, 4)),
)

BYTE_SHAPES = {"m16n16": 2, "m8n16": 1}
"""Shape of a matrix of bytes that ldmatrix loads -> the registers of a thread that it fills."""
PACKED_BITS = {"b6x16_p32": 6, "b4x16_p64": 4}
"""Packed format -> the bits of its elements, which fill a row from its lowest bit. Each becomes a
byte, in whose lowest bits it is."""
_PACKED = tuple(PACKED_BITS)
LDMATRIX_OF_BYTES = Table(
    "ldmatrix of bytes",
    "9.7.14.5.15",
    ("shape", "count", "transposed", "type", "source", "values"),
    tuple(
        (shape, f"x{count}", transposed, type_, source, count * BYTE_SHAPES[shape])
        for shape, counts, transposed, formats in (
            ("m16n16", (1, 2), "trans", (("b8", None), ("b8x16", _PACKED))),
            ("m8n16", (1, 2, 4), None, (("b8x16", _PACKED),)),
        )
        for count in counts
        for type_, source in formats
    ),
    rule("T5-PTX-171"),
)

ELEMENT_BITS = {
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
        bits = ELEMENT_BITS[type_]
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


def features_of_fp8(word: WordOf) -> Sequence[str]:
    """The features of targets that a product of fp8 needs, by its shape and sums."""
    is_later = (word("shape"), word("d_type")) != _FIRST_OF_FP8
    return ("mma_of_fp8",) if word("a_type") in _E and is_later else ()


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
    parts = max(1, _REGISTER // ELEMENT_BITS[type_])
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


BIT_OPERATIONS = {"and": ".and.popc", "xor": ".xor.popc"}
"""Operation on the bits of two numbers, which are then counted -> its text in PTX."""


def _registers(*names: str, where: str = "") -> tuple[Area, ...]:
    return tuple(Area(StateSpace.REGISTERS, (name,), where, proxy=None) for name in names)


_ROWS_IN_SHARED = (Area(StateSpace.SHARED, ("address",), ROW),)
LOAD = Effects(reads=_ROWS_IN_SHARED, writes=_registers("values"), executed_by=Participants.WHOLE)
STORE = LOAD._replace(reads=LOAD.writes, writes=LOAD.reads, data=("values",))
TRANSPOSITION = Effects(
    reads=_registers("a", where="in the other threads"),
    writes=_registers("d"),
    executed_by=Participants.WHOLE,
    data=("a",),
)
PRODUCT = Effects(
    reads=_registers("a", "b", "c", where="in all threads of the warp"),
    writes=_registers("d"),
    executed_by=Participants.WHOLE,
    data=("a", "b", "c"),
)


def shared_spellings(line: str) -> Mapping[str, str]:
    """The spelling of a syntax line with `.shared`, which is short for `.shared::cta`."""
    return {"shared": line.replace("shared::cta", "shared")}


INSTRUCTIONS = r"""
mma.sync
    | mma.sync.aligned.$shape.$a_layout.$b_layout.$saturate.$d_type.$a_type.$b_type.$c_type.$bit_operation {%d}, {!a}, {!b}, {!c}
    | 9.7.14.5.14 | MMA; bit_operation? BIT_OPERATIONS; d a b c WORD; needs features_of_fp8
    | PRODUCT
    | `a * b + c`. All threads of the warp hold fragments of the matrices. If a register has `p`
      elements, lane `4 * i + j` holds these fragments. Of A: columns `j * p` to `j * p + p - 1`
      of row `i`, then of row `i + 8`; then the same `4 * p` columns further on. Of B: rows `j *
      p` to `j * p + p - 1` of column `i`, then the same `4 * p` rows further on. Of C and D:
      columns `2 * j` and `2 * j + 1` of row `i`, then of row `i + 8`.
mma.sync.f64
    | mma.sync.aligned.$shape.row.col.$d_type.$a_type.$b_type.$c_type {%d}, {!a}, {!b}, {!c}
    | 9.7.14.5.14
    | MMA_OF_F64; d REGISTER of d_type; a REGISTER of a_type; b REGISTER of b_type; c REGISTER of
      c_type | PRODUCT | `a * b + c` of f64 numbers, which are distributed as by `ptx.mma.sync`.
ldmatrix
    | ldmatrix.sync.aligned.$shape.x#(values).$transposed.shared::cta.b16 {%values}, [%address]
    | 9.7.14.5.15
    | shape m8n8; transposed? trans; values B32 in MATRICES; address B32_OR_B64; also
      shared_spellings | LOAD | Load matrices from shared memory, one into each register.
ldmatrix.b8
    | ldmatrix.sync.aligned.$shape.$count.$transposed.shared::cta.$type.$source {%values}, [%address]
    | 9.7.14.5.15 | LDMATRIX_OF_BYTES; values B32; address B32_OR_B64; also shared_spellings
    | LOAD
    | Load matrices of bytes, or of packed elements that become bytes, from shared memory. Each
      lane gives the address of a row of 16 bytes, the rows of the first matrix first. The
      register of lane `4 * i + k` holds bytes `4 * k` to `4 * k + 3` of row `i` of a matrix
      m8n16. For a transposed matrix m16n16, register `r` of this lane holds byte `i` of rows `4 *
      k + 2 * r` and `4 * k + 2 * r + 1`, then byte `i + 8` of the same rows.
stmatrix
    | stmatrix.sync.aligned.$shape.x#(values).$transposed.shared::cta.b16 [%address], {!values}
    | 9.7.14.5.16
    | shape m8n8; transposed? trans; address B32_OR_B64; values B32 in MATRICES; also
      shared_spellings | STORE | Store matrices to shared memory, one from each register.
stmatrix.b8 | stmatrix.sync.aligned.m16n8.x#(values).trans.shared::cta.b8 [%address], {!values}
    | 9.7.14.5.16 | address B32_OR_B64; values B32 in MATRICES; also shared_spellings | STORE
    | Store matrices of 16 x 8 bytes to shared memory, one from each register. Lane `8 * i + j`
      gives the address of column `j` of matrix `i`; lane `4 * j + k` holds the elements `2 * k`
      and `2 * k + 1` of row `j`, and then those of row `j + 8`.
movmatrix | movmatrix.sync.aligned.$shape.trans.b16 %d, !a | 9.7.14.5.17 | shape m8n8; d a B32
    | TRANSPOSITION
    | Transpose a matrix of 8 x 8 elements in the registers of a warp: lane `4 * j + k` holds the
      elements `2 * k` and `2 * k + 1` of row `j`.
"""
