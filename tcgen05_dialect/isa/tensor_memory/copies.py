"""Copies to tensor memory by tcgen05.cp: shapes, multicast, decompression and destinations; shifts
of its rows by tcgen05.shift (9.7.16.9)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import alternatives, rule
from tcgen05_dialect.isa.model.table import Mnemonic, Qualifier, Table
from tcgen05_dialect.isa.shared_memory.descriptor import UNIT_BYTES
from tcgen05_dialect.isa.targets import CTA_GROUP
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES

_SECTION = "9.7.16.9.2"
SHAPE_RULE = rule("T5-CP-001")
MULTICAST_RULE = rule("T5-CP-002")
SOURCE_EXTENT = rule("T5-CP-004")
SOURCE_ELEMENT = rule("T5-CP-005")


class Shape(NamedTuple):
    """A shape: `rows` rows of `bits` bits each in the source."""

    rows: int
    bits: int

    @property
    def ptx(self) -> str:
        return f".{self.rows}x{self.bits}b"

    @property
    def name(self) -> str:
        return self.ptx.replace(".", "shape_")

    @property
    def columns(self) -> int:
        """The number of tensor memory columns that a copy fills."""
        return self.bits // CELL_BITS


SHAPES = {
    shape.name: shape
    for shape in (
        Shape(128, 256),
        Shape(4, 256),
        Shape(128, 128),
        Shape(64, 128),
        Shape(32, 128),
    )
}

MULTICASTS = Table(
    "Shape and multicast",
    _SECTION,
    ("shape", "multicast"),
    (
        (("shape_128x256b", "shape_4x256b", "shape_128x128b"), None),
        ("shape_64x128b", ("warpx2_02_13", "warpx2_01_23")),
        ("shape_32x128b", "warpx4"),
    ),
    SHAPE_RULE,
    {"multicast": MULTICAST_RULE},
)

# The warps whose lanes receive each group of 32 source rows.
_RECEIVERS = {
    "warpx2_02_13": ((0, 2), (1, 3)),
    "warpx2_01_23": ((0, 1), (2, 3)),
    "warpx4": ((0, 1, 2, 3),),
}


class Format(NamedTuple):
    """A packed source format: 16 elements of `bits` bits, then padding, in 16 bytes. The copy
    expands each element to a byte, at bit `shift`."""

    name: str
    bits: int
    shift: int

    @property
    def ptx(self) -> str:
        return f".b8x16.{self.name}"

    def decompress(self, unit: bytes) -> bytes:
        """Expand 16 bytes of the source to 16 bytes. Elements fill the source from its lowest bit;
        the padding is ignored."""
        packed = int.from_bytes(unit, "little")
        mask = (1 << self.bits) - 1
        return bytes((packed >> at * self.bits & mask) << self.shift for at in range(UNIT_BYTES))


FORMATS = {
    format_.name: format_ for format_ in (Format("b6x16_p32", 6, 1), Format("b4x16_p64", 4, 2))
}
FORMAT_RULE = rule("T5-CP-003", formats=alternatives(tuple(FORMATS)))
PAYLOAD_BITS = {format_.bits: format_.shift for format_ in FORMATS.values()}
"""Size of an element in bits -> the bit at which it begins in its byte of tensor memory."""

SHAPE = Qualifier("shape", {name: shape.ptx for name, shape in SHAPES.items()}, SHAPE_RULE)
MULTICAST = Qualifier(
    "multicast",
    {
        None: "",
        "warpx2_02_13": ".warpx2::02_13",
        "warpx2_01_23": ".warpx2::01_23",
        "warpx4": ".warpx4",
    },
    MULTICAST_RULE,
)
FORMAT = Qualifier(
    "format", {None: ""} | {name: format_.ptx for name, format_ in FORMATS.items()}, FORMAT_RULE
)
CP = Mnemonic(
    "tcgen05.cp{cta_group}{shape}{multicast}{format}",
    _SECTION,
    {"cta_group": CTA_GROUP, "shape": SHAPE, "multicast": MULTICAST, "format": FORMAT},
)


def destination_lanes(shape: str, multicast: str | None, row: int) -> tuple[int, ...]:
    """The lanes that receive source row `row`. Byte b of the (decompressed) row goes to byte b % 4
    of column b // 4, relative to the address. Raises Violation if the shape does not have this
    multicast."""
    MULTICASTS.check(shape=shape, multicast=multicast)
    if multicast is None:
        return (row * LANES // SHAPES[shape].rows,)
    group, lane = divmod(row, WARP_LANES)
    return tuple(warp * WARP_LANES + lane for warp in _RECEIVERS[multicast][group])


_SHIFT_SECTION = "9.7.16.9.3"
ELEMENT_BYTES = 32
"""Number of bytes of each row that the instruction shifts."""
COLUMNS = ELEMENT_BYTES * 8 // CELL_BITS

ADDRESS_LANES = Table(
    "Lane of tcgen05.shift",
    _SHIFT_SECTION,
    ("lane",),
    ((range(0, LANES, WARP_LANES),),),
    rule("T5-SHIFT-001", warp_lanes=WARP_LANES),
)

SHIFT = Mnemonic("tcgen05.shift{cta_group}.down", _SHIFT_SECTION, {"cta_group": CTA_GROUP}, "shift")


def source_lane(lane: int) -> int:
    """The lane whose old contents are in `lane` after the shift: the next lane, or `lane` itself if
    it is the last of a warp."""
    return lane if lane % WARP_LANES == WARP_LANES - 1 else lane + 1
