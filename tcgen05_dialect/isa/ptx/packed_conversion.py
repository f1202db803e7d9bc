"""cvt from and to packed numbers of at most 8 bits (9.7.9.21): types and qualifiers."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Table

_SECTION = "9.7.9.21"


class PackedElement(NamedTuple):
    """How numbers of at most 8 bits lie in a register: in slots of `slot_bits` bits, in the low
    bits of each, so many in a register as `counts` says."""

    slot_bits: int
    counts: tuple[int, ...]


_PAIRS_AND_QUADS = PackedElement(8, (2, 4))
PACKED_ELEMENTS = {
    **dict.fromkeys(("e4m3", "e5m2", "e3m2", "e2m3"), _PAIRS_AND_QUADS),
    "e2m1": PackedElement(4, (2, 4)),
    "ue8m0": PackedElement(8, (2,)),
}
_F8 = ("e4m3x2", "e5m2x2")
_F6_F4 = ("e3m2x2", "e2m3x2", "e2m1x2")
_NARROW = (*_F8, *_F6_F4)
_HALVES = ("f16x2", "bf16x2")
_SCALE = "ue8m0x2"
_RELU = (None, "relu")
_SATFINITE = (None, "satfinite")
SCALED = "scaled::n2::ue8m0"
"""The qualifier of a conversion that multiplies with two powers of two."""

PACK = Table(
    "cvt of two values to packed numbers",
    _SECTION,
    ("type", "rounding", "saturate", "relu"),
    (
        (_NARROW, "rn", "satfinite", _RELU),
        (_SCALE, ("rz", "rp"), _SATFINITE, None),
    ),
    rule("T5-PTX-140"),
)
PACKED = Table(
    "cvt of packed numbers",
    _SECTION,
    ("type", "source", "rounding", "saturate", "relu", "scale"),
    (
        (_NARROW, _HALVES, "rn", "satfinite", _RELU, 0),
        ("f16x2", _NARROW, "rn", None, _RELU, 0),
        ("bf16x2", _NARROW, "rn", _SATFINITE, _RELU, (0, 1)),
        (_SCALE, "bf16x2", ("rz", "rp"), _SATFINITE, None, 0),
        ("bf16x2", _SCALE, "rn", None, None, 0),
    ),
    rule("T5-PTX-141"),
)
QUADS = tuple(f"{name}x4" for name, element in PACKED_ELEMENTS.items() if 4 in element.counts)
QUAD = Limit(
    rule("T5-PTX-142"),
    frozenset((4,)),
)
RANDOM_BITS = {"f16x2": 13, "bf16x2": 16}
"""Type of a pair -> the number of random bits for each value: in the low bits of each half of the
operand. Four values take 16 bits for each pair."""


PACKED_INTEGERS = ("u16", "s16")
"""Types of the two integers that cvt.pack packs into a register."""
SHORT_INTEGERS = ("u2", "s2", "u4", "s4", "u8", "s8")
"""Types of the two integers that cvt.pack puts below the low bits of another register."""


def feature(type_: str, source: str) -> str | None:
    """The feature of targets that a conversion of packed numbers needs."""
    if type_ == "bf16x2" and source != _SCALE:
        return "cvt_to_bf16x2"
    new = source == "bf16x2" and type_ != _SCALE
    return "cvt_of_halves" if new or type_ in _F6_F4 else None
