"""Tensor copies in im2col mode: modes, coordinates and offsets (5.5.4, 5.5.5, 9.7.9.25.5)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Table

_MODES = "5.5.4, 5.5.5, 9.7.9.25.5.2"
_RANKS = range(3, 6)
IM2COL = Table(
    "load in im2col mode",
    _MODES,
    ("mode", "coordinates", "offsets"),
    (
        *(("im2col", rank, rank - 2) for rank in _RANKS),
        (("im2col::w", "im2col::w::128"), tuple(_RANKS), 2),
    ),
    rule("T5-PTX-210"),
)
COORDINATES = Limit(
    rule("T5-PTX-211"),
    _RANKS,
)
