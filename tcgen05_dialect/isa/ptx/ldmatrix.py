"""ldmatrix and stmatrix: matrices of 8 x 8 elements of 16 bits (9.7.14.5.15, 9.7.14.5.16)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.place import Place
from tcgen05_dialect.isa.model.rule import rule

SHAPES = ("m8n8",)
ROWS = 8
ROW_BYTES = 16
"""Number of rows of a matrix, and of bytes of a row."""
ROW = Place(ROW_BYTES, ROW_BYTES)
MATRICES = Limit(
    rule(
        "T5-PTX-017",
        "9.7.14.5.15, 9.7.14.5.16",
        subject="number of matrices",
        statement="ldmatrix and stmatrix move one, two or four matrices, each in one register.",
        why="The instruction has no other forms; ptxas refuses them.",
        fix="move one, two or four matrices at once",
    ),
    frozenset((1, 2, 4)),
)
