"""Places of matrix elements: tensor memory, shared memory, and registers after an access."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from tcgen05_dialect.calculator.grid import ColourGroup
from tcgen05_dialect.isa.shared_memory.descriptor import ROW_BYTES, UNIT_BYTES
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES

_WARPS = LANES // WARP_LANES
_SHADES = 4
"""Number of shades of a colour, to distinguish neighbours."""


@cache
def _lanes(cta: int, warp: int) -> ColourGroup:
    first = warp * WARP_LANES
    return ColourGroup(f"{_pair(cta)}lanes {first}-{first + WARP_LANES - 1}", cta * _WARPS + warp)


@cache
def _warp(cta: int, warp: int, shade: int) -> ColourGroup:
    return ColourGroup(f"{_pair(cta)}warp {warp}", cta * _WARPS + warp, shade)


@cache
def _unit(unit: int, shade: int) -> ColourGroup:
    """The colour of a 16-byte unit in a 128-byte row; the unit corresponds to four banks."""
    first = unit * UNIT_BYTES
    return ColourGroup(f"bytes {first}-{first + UNIT_BYTES - 1} of {ROW_BYTES}", unit, shade)


class TensorPlace(NamedTuple):
    """Bits of a cell of tensor memory in one CTA of the pair. Lane and column are absolute."""

    cta: int
    lane: int
    column: int
    bit: int
    bits: int

    @property
    def mark(self) -> str:
        bits = f" b{self.bit}" if self.bits < CELL_BITS else ""
        return f"l{self.lane} c{self.column}{bits}"

    @property
    def text(self) -> str:
        return f"{_cta(self.cta)}{self.mark}"

    def __str__(self) -> str:
        bits = _bit_range(self.bit, self.bits)
        return f"CTA {self.cta}, lane {self.lane}, column {self.column}, {bits}"

    @property
    def group(self) -> ColourGroup:
        return _lanes(self.cta, self.lane // WARP_LANES)


class SharedPlace(NamedTuple):
    """
    Bits of shared memory in one CTA, beginning at bit `bit` of byte `byte`. `unswizzled` is the
    byte without swizzling. Bytes are absolute addresses.
    """

    cta: int
    byte: int
    unswizzled: int
    bit: int
    bits: int

    @property
    def mark(self) -> str:
        return f"{self.byte:#x}{f' b{self.bit}' if self.bits % 8 else ''}"

    @property
    def text(self) -> str:
        return f"{_cta(self.cta)}{self.mark}"

    def __str__(self) -> str:
        before = "" if self.byte == self.unswizzled else f" (unswizzled {self.unswizzled:#x})"
        return f"CTA {self.cta}, byte {self.byte:#x}{before}, {_bit_range(self.bit, self.bits)}"

    @property
    def group(self) -> ColourGroup:
        return _unit(self.byte % ROW_BYTES // UNIT_BYTES, self.byte // (ROW_BYTES * 8) % 2)


class RegisterPlace(NamedTuple):
    """
    Bits of a register of a thread, after tcgen05.ld or before tcgen05.st. The access is at
    (`access_lane`, `access_column`); the register holds the cell (`lane`, `column`).
    """

    cta: int
    warp: int
    thread: int
    register: int
    bit: int
    bits: int
    access_lane: int
    access_column: int
    lane: int
    column: int

    @property
    def mark(self) -> str:
        bits = f" b{self.bit}" if self.bits < CELL_BITS else ""
        return f"t{self.thread} r{self.register}{bits}"

    @property
    def text(self) -> str:
        return f"{_cta(self.cta)}w{self.warp} {self.mark}"

    def __str__(self) -> str:
        return (
            f"CTA {self.cta}, warp {self.warp}, thread {self.thread}, register {self.register}, "
            f"{_bit_range(self.bit, self.bits)} (lane {self.lane}, column {self.column}; access at "
            f"lane {self.access_lane}, column {self.access_column})"
        )

    @property
    def group(self) -> ColourGroup:
        return _warp(self.cta, self.warp, self.thread % _SHADES)


Place = TensorPlace | SharedPlace | RegisterPlace


class MatrixElement(NamedTuple):
    """An element of a matrix, with the names of its indices."""

    matrix: str
    row: int
    column: int
    row_name: str
    column_name: str

    @property
    def text(self) -> str:
        return f"{self.row},{self.column}"

    @property
    def mark(self) -> str:
        return f"{self.row_name[0]}{self.row} {self.column_name[0]}{self.column}"

    def __str__(self) -> str:
        return f"{self.matrix}[{self.row}][{self.column}]"


class Located(NamedTuple):
    """An element and one of its places."""

    element: MatrixElement
    place: Place

    def __str__(self) -> str:
        return f"{self.element}: {self.place}"

    def fields(self) -> Mapping[str, object]:
        element = self.element
        return {
            "matrix": element.matrix,
            element.row_name: element.row,
            element.column_name: element.column,
            **self.place._asdict(),
        }


def joined_text(places: Iterable[Place]) -> str:
    """The texts of places as one text; texts that differ in one word share the other words."""
    by_length: dict[int, list[list[str]]] = {}
    for place in places:
        words = place.text.split()
        by_length.setdefault(len(words), []).append(words)
    return "; ".join(
        " ".join(",".join(dict.fromkeys(column)) for column in zip(*group, strict=True))
        for group in by_length.values()
    )


def _cta(cta: int) -> str:
    return f"cta{cta} " if cta else ""


def _pair(cta: int) -> str:
    return f"CTA {cta}, " if cta else ""


def _bit_range(bit: int, bits: int) -> str:
    return f"bits {bit}-{bit + bits - 1}"
