"""
Places of matrix elements in tensor memory, shared memory and registers, and the formulas from
elements to places and back.

A formula is a Python expression on integers. Its variables are the indices of the matrix, or the
coordinates of the place. The formulas agree with `isa/` and contain the constants of one MMA.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from tcgen05_dialect.calculator.grid import ColourGroup
from tcgen05_dialect.isa.mma.scale import CELL_BYTES, ScaleFactors
from tcgen05_dialect.isa.mma.shapes import DataPathLayout
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES, INDEX_BITS, SHARING_ROWS, metadata_columns
from tcgen05_dialect.isa.shared_memory.descriptor import ROW_BYTES, SWIZZLES, UNIT_BYTES
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
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
    """Bits of shared memory in one CTA, beginning at bit `bit` of byte `byte`. `unswizzled` is the
    byte without swizzling. Bytes are absolute addresses."""

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
    """Bits of a register of a thread, after tcgen05.ld or before tcgen05.st. The access is at
    (`access_lane`, `access_column`); the register holds the cell (`lane`, `column`)."""

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


_HALF = WARP_LANES // 2


class Formulas(NamedTuple):
    """The formulas of a matrix in both directions; `note` states their conditions."""

    matrix: str
    places: dict[str, str]
    elements: dict[str, str]
    note: str = ""


def _term(factor: str, times: int) -> str:
    return factor if times == 1 else f"{factor} * {times}"


def _rows(layout: DataPathLayout, m: int, index: str = "m") -> tuple[dict[str, str], str]:
    """CTA and lane of a row of D as formulas of the row index, and the row as a formula of the
    lane."""
    is_whole = layout.rows == m
    row = index if is_whole else f"{index} % {layout.rows}"
    lane, back = row, "lane" if layout.folds == 1 else f"lane % {layout.rows}"
    if layout.is_half:
        lane = f"{row} // {_HALF} * {WARP_LANES} + {row} % {_HALF}"
        back = f"lane // {WARP_LANES} * {_HALF} + lane % {_HALF}"
    places = {"cta": "0" if is_whole else f"{index} // {layout.rows}", "lane": lane}
    return places, back if is_whole else f"cta * {layout.rows} + {back}"


def _note(layout: DataPathLayout, copies: bool) -> str:
    notes: list[str] = []
    if layout.is_half:
        notes.append(f"lane + {_HALF} where that of the address is {_HALF}")
    if copies and layout.folds > 1:
        lanes = ", ".join(str(fold * layout.rows) for fold in range(1, layout.folds))
        notes.append(f"again in lane + {lanes}")
    return "; ".join(notes)


def accumulator(layout: DataPathLayout, m: int, n: int) -> Formulas:
    """The formulas of D (M x N); lane and column are relative to the address of D."""
    places, row = _rows(layout, m)
    width = layout.columns(n)
    places["column"] = "n"
    column = "column"
    if layout.folds > 1:
        places["lane"] += f" + n // {width} * {layout.rows}"
        places["column"] = f"n % {width}"
        column = f"lane // {layout.rows} * {width} + column"
    return Formulas("D[m][n]", places, {"m": row, "n": column}, _note(layout, copies=False))


def tensor_a(layout: DataPathLayout, m: int, room: int, shift: int) -> Formulas:
    """
    The formulas of A in tensor memory; lane and column are relative to the address of A.

    Each element occupies `room` bits and begins at bit `shift` of them.
    """
    places, row = _rows(layout, m)
    per_cell = CELL_BITS // room
    places["column"] = "k" if per_cell == 1 else f"k // {per_cell}"
    places["bit"] = "0" if per_cell == 1 else f"k % {per_cell} * {room}"
    if shift:
        places["bit"] += f" + {shift}"
    k = "column" if per_cell == 1 else f"column * {per_cell} + bit // {room}"
    return Formulas(
        "A[m][k] in tensor memory", places, {"m": row, "k": k}, _note(layout, copies=True)
    )


def shared(name: str, index: str, tile: SharedMemoryLayout, ctas: int) -> Formulas:
    """
    The formulas of a matrix in shared memory with the indices `index` and k; `index` counts within
    one of `ctas` CTAs.

    They hold if the tile is one swizzle atom wide along the major dimension, its atoms are
    contiguous, and it is aligned to the swizzle pattern.
    """
    mode = SWIZZLES[tile.swizzle]
    major, other = (index, "k") if tile.transposed else ("k", index)
    column, bits = f"linear % {mode.width}", tile.bits
    if tile.container_bits > bits:
        unit = UNIT_BYTES * 8 // tile.container_bits
        along = f"{major} // {unit} * {UNIT_BYTES} + {major} % {unit} * {bits} // 8"
        back = f"{column} // {UNIT_BYTES} * {unit} + linear % {UNIT_BYTES} * 8 // {bits}"
    elif bits < 8:
        along, back = f"{major} // {8 // bits}", f"{column} * {8 // bits}"
    else:
        along = _term(major, bits // 8)
        back = column if bits == 8 else f"{column} // {bits // 8}"
    mask, byte = mode.width // mode.chunk, "linear"
    swizzled = "linear"
    if mode.is_swizzled:
        swizzled = f"linear ^ linear // {ROW_BYTES} % {mask} * {mode.chunk}"
        byte = f"byte ^ byte // {ROW_BYTES} % {mask} * {mode.chunk}"
    places = {"linear": f"{_term(other, mode.width)} + {along}", "byte": swizzled}
    elements = {"linear": byte if mode.is_swizzled else "byte"}
    elements |= {other: f"linear // {mode.width}", major: back}
    extent = tile.atom[0] if tile.transposed else tile.atom[1]
    notes = [f"in a tile with {extent} elements along {major}", *_of_one(index, ctas)]
    indices = "[k][n]" if index == "n" else "[m][k]"
    matrix = f"{name}{indices}, {tile.major}, {tile.swizzle}"
    return Formulas(matrix, places, elements, "; ".join(notes))


def _of_one(index: str, ctas: int) -> list[str]:
    return [f"{index} counts those of one CTA"] if ctas > 1 else []


def scales(name: str, index: str, factors: ScaleFactors, ctas: int) -> Formulas:
    """The formulas of scale factors in tensor memory; the index counts in one of `ctas` CTAs."""
    extent, width = factors.rows // factors.folds, factors.group_columns
    row, back = index, f"column % {width} * {WARP_LANES} + lane % {WARP_LANES}"
    lane = f"{row} % {WARP_LANES}"
    copies = LANES // factors.folds
    if factors.folds > 1:
        row = f"{index} % {extent}"
        lane = f"{index} // {extent} * {copies} + {row} % {WARP_LANES}"
        back = f"lane // {copies} * {extent} + {back}"
    places = {
        "lane": lane,
        "column": f"{row} // {WARP_LANES} + factor // {CELL_BYTES} * {width}",
        "byte": f"factor % {CELL_BYTES}",
    }
    elements = {index: back, "factor": f"column // {width} * {CELL_BYTES} + byte"}
    more = ", ".join(map(str, range(WARP_LANES, copies, WARP_LANES)))
    notes = [f"again in lane + {more}", *(_of_one(index, ctas) if index == "m" else [])]
    indices = "[factor][n]" if index == "n" else "[m][factor]"
    return Formulas(f"{name}{indices}", places, elements, "; ".join(notes))


def metadata(kind: str, layout: DataPathLayout, m: int) -> Formulas:
    """The formulas of the sparsity metadata; the column is relative to the one that address and
    selector give."""
    places, row = _rows(layout, m, "row")
    per_cell = CELL_BITS // INDEX_BITS
    if metadata_columns(kind) == 1:
        part, rows = SHARING_ROWS, 2 * SHARING_ROWS
        half, bits = per_cell // 2, CELL_BITS // 2
        first = {"row": f"m // {rows} * {rows} + chunk // {half} * {part} + m % {part}"}
        bit = f"m % {rows} // {part} * {bits} + chunk % {half} * {INDEX_BITS}"
        second = {"column": "0", "bit": bit}
        elements = {
            "m": f"row // {rows} * {rows} + bit // {bits} * {part} + row % {part}",
            "chunk": f"row % {rows} // {part} * {half} + bit % {bits} // {INDEX_BITS}",
        }
    else:
        first = {"row": "m"}
        second = {"column": f"chunk // {per_cell}", "bit": f"chunk % {per_cell} * {INDEX_BITS}"}
        elements = {"m": "row", "chunk": f"column * {per_cell} + bit // {INDEX_BITS}"}
    note = _note(layout, copies=True)
    name = f"metadata[m][chunk of {GRANULARITIES[kind].chunk}]"
    return Formulas(name, first | places | second, {"row": row} | elements, note)
