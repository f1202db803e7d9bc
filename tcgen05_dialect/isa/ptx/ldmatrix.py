"""ldmatrix and stmatrix: matrices of 8 x 8 elements of 16 bits, and matrices of bytes (9.7.14.5.15,
9.7.14.5.16)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table

SHAPES = ("m8n8",)
ROWS = 8
ROW_BYTES = 16
"""Number of rows of a matrix, and of bytes of a row."""
ROW = Place(ROW_BYTES, ROW_BYTES)
MATRICES = Limit(
    rule("T5-PTX-017"),
    frozenset((1, 2, 4)),
)


class ByteShape(NamedTuple):
    """A matrix of bytes that ldmatrix loads: its rows of 16 bytes, and registers of a thread."""

    rows: int
    registers: int


BYTE_SHAPES = {"m16n16": ByteShape(16, 2), "m8n16": ByteShape(8, 1)}
PACKED_BITS = {"b6x16_p32": 6, "b4x16_p64": 4}
"""Packed format -> the bits of its elements, which fill a row from its lowest bit. Each becomes a
byte, in whose lowest bits it is."""
_PACKED = tuple(PACKED_BITS)
LDMATRIX_OF_BYTES = Table(
    "ldmatrix of bytes",
    "9.7.14.5.15",
    ("shape", "count", "transposed", "type", "source", "values"),
    tuple(
        (shape, f"x{count}", transposed, type_, source, count * BYTE_SHAPES[shape].registers)
        for shape, counts, transposed, formats in (
            ("m16n16", (1, 2), "trans", (("b8", None), ("b8x16", _PACKED))),
            ("m8n16", (1, 2, 4), None, (("b8x16", _PACKED),)),
        )
        for count in counts
        for type_, source in formats
    ),
    rule("T5-PTX-171"),
)
