"""
Places of matrix elements in tensor memory, shared memory and registers.

Matrices in memory, and the elements in the registers of a tcgen05.ld or tcgen05.st.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

from ..isa.mma.shapes import Position
from ..isa.shared_memory.descriptor import PATTERN_ROWS, ROW_BYTES, UNIT_BYTES
from ..isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES, Cell
from ..isa.tensor_memory.ld_st import (
    PACKED_BITS,
    PACKED_BITS_RULE,
    SHAPES,
    Cover,
    Holder,
    check_address,
    check_split_offset,
    registers,
)
from . import ColourGroup, QuestionError, UsageError

_WARPS = LANES // WARP_LANES
_SHADES = 4
"""Number of shades of a colour, to distinguish neighbours."""


class TensorPlace(NamedTuple):
    """Bits of a cell of tensor memory in one CTA of the pair. Lane and column are absolute."""

    cta: int
    lane: int
    column: int
    bit: int
    bits: int

    @property
    def mark(self) -> str:
        return f"l{self.lane} c{self.column}{_bit(self)}"

    def __str__(self) -> str:
        return f"CTA {self.cta}, lane {self.lane}, column {self.column}, {_bits(self)}"

    @property
    def group(self) -> ColourGroup:
        warp = self.lane // WARP_LANES
        lanes = f"{warp * WARP_LANES}-{(warp + 1) * WARP_LANES - 1}"
        return ColourGroup(f"{_of_pair(self.cta)}lanes {lanes}", self.cta * _WARPS + warp)


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

    def __str__(self) -> str:
        before = "" if self.byte == self.unswizzled else f" (unswizzled {self.unswizzled:#x})"
        return f"CTA {self.cta}, byte {self.byte:#x}{before}, {_bits(self)}"

    @property
    def group(self) -> ColourGroup:
        """The 16-byte unit in a 128-byte row; it corresponds to four banks."""
        unit = self.byte % ROW_BYTES // UNIT_BYTES
        name = f"bytes {unit * UNIT_BYTES}-{(unit + 1) * UNIT_BYTES - 1} of {ROW_BYTES}"
        return ColourGroup(name, unit, self.byte // (ROW_BYTES * 8) % 2)


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
        return f"t{self.thread} r{self.register}{_bit(self)}"

    def __str__(self) -> str:
        return (
            f"CTA {self.cta}, warp {self.warp}, thread {self.thread}, register {self.register}, "
            f"{_bits(self)} (lane {self.lane}, column {self.column}; access at "
            f"lane {self.access_lane}, column {self.access_column})"
        )

    @property
    def group(self) -> ColourGroup:
        name, hue = f"{_of_pair(self.cta)}warp {self.warp}", self.cta * _WARPS + self.warp
        return ColourGroup(name, hue, self.thread % _SHADES)


Place = TensorPlace | SharedPlace | RegisterPlace


def _of_pair(cta: int) -> str:
    return f"CTA {cta}, " if cta else ""


def _bit(place: TensorPlace | RegisterPlace) -> str:
    return f" b{place.bit}" if place.bits < CELL_BITS else ""


def _bits(place: Place) -> str:
    return f"bits {place.bit}-{place.bit + place.bits - 1}"


def joined_text(places: Iterable[Place]) -> str:
    """The places as one text for a table; those that differ in one word share the other words."""
    by_length: dict[int, list[list[str]]] = {}
    for place in places:
        words = [f"cta{place.cta}"] if place.cta else []
        words += [f"w{place.warp}"] if isinstance(place, RegisterPlace) else []
        words += place.mark.split()
        by_length.setdefault(len(words), []).append(words)
    return "; ".join(
        " ".join(",".join(dict.fromkeys(column)) for column in zip(*group, strict=True))
        for group in by_length.values()
    )


class MatrixElement(NamedTuple):
    """An element of a matrix, with the names of its indices."""

    matrix: str
    row: int
    column: int
    row_name: str
    column_name: str

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
        name, row, column, row_name, column_name = self.element
        return {"matrix": name, row_name: row, column_name: column, **self.place._asdict()}


Pair = tuple[int, int]
"""Indices of an element: the index along M or N first; for D, M and N."""
_CLOSE_ROWS = PATTERN_ROWS
"""Number of rows with one shade in a picture: the rows of a core matrix."""


@dataclass(frozen=True, kw_only=True)
class Matrix(ABC):
    """
    A matrix with elements of `bits` bits in the memory of `ctas` CTAs.

    `what` is a title: the MMA and the layout. `names` and `extents` are in the order of the maps'
    arguments. If `flipped`, each row is one k, and (row, column) is the reverse of that order.
    `group` gives the colour of an element in a table of memory.
    """

    name: str
    what: str
    names: tuple[str, str]
    extents: Pair
    flipped: bool = False
    bits: int
    ctas: int
    group: Callable[[int, int], ColourGroup]

    @abstractmethod
    def _places(self, pair: Pair) -> Iterator[Place]:
        """The places of an element, one for each copy."""

    @abstractmethod
    def _keys(self, place: Any) -> Iterator[tuple[int, ...]]:
        """The keys by which `_held` finds the element at a place."""

    @cached_property
    def _held(self) -> Mapping[tuple[int, ...], Located]:
        """The inverse of `_places`."""
        return {
            key: each
            for pair in product(range(self.extents[0]), range(self.extents[1]))
            for each in self._located(pair)
            for key in self._keys(each.place)
        }

    def indices(self, pair: Pair) -> Pair:
        """Convert the arguments of the maps to (row, column), or the reverse."""
        return (pair[1], pair[0]) if self.flipped else pair

    @property
    def rows(self) -> int:
        return self.indices(self.extents)[0]

    @property
    def columns(self) -> int:
        return self.indices(self.extents)[1]

    @property
    def index_names(self) -> tuple[str, str]:
        """The names of row and column."""
        mn, other = self.names
        return (other, mn) if self.flipped else (mn, other)

    def _located(self, pair: Pair) -> tuple[Located, ...]:
        element = MatrixElement(self.name, *self.indices(pair), *self.index_names)
        return tuple(Located(element, place) for place in self._places(pair))

    def located(self, row: int, column: int) -> tuple[Located, ...]:
        """An element with each of its places. Raises QuestionError outside the matrix."""
        pair = self.indices((row, column))
        for name, index, extent in zip(self.names, pair, self.extents, strict=True):
            check_index(f"{name} of {self.name}", index, extent)
        return self._located(pair)

    def check_cta(self, cta: int) -> None:
        """Raise QuestionError for a CTA that holds no part of the matrix."""
        check_index(f"CTA with part of {self.name}", cta, self.ctas)


def check_index(what: str, index: int, extent: int | range) -> None:
    """Raise QuestionError for an index outside an extent."""
    legal = range(extent) if isinstance(extent, int) else extent
    if index not in legal:
        raise QuestionError(what, index, legal)


@dataclass(frozen=True, kw_only=True)
class TensorMatrix(Matrix):
    """
    A matrix in tensor memory; `origin` is its address, `width` its number of columns.

    An element occupies `room` bits and begins at bit `shift` of them. The columns of `positions`
    are relative to the address.
    """

    origin: Cell
    width: int
    room: int
    shift: int = 0
    positions: Callable[[int, int], tuple[Position, ...]]

    @property
    def column_range(self) -> range:
        return range(self.origin.column, self.origin.column + self.width)

    @property
    def slots(self) -> range:
        """The bits of a cell at which elements begin."""
        return range(0, CELL_BITS, self.room)

    def _places(self, pair: Pair) -> Iterator[TensorPlace]:
        for cta, lane, column, bit in self.positions(*pair):
            yield TensorPlace(cta, lane, self.origin.column + column, bit + self.shift, self.bits)

    def _keys(self, place: TensorPlace) -> Iterator[tuple[int, ...]]:
        yield place[:4]

    def at(self, cta: int, lane: int, column: int, slot: int) -> Located | None:
        """The element in a slot of a cell."""
        return self._held.get((cta, lane, column, slot + self.shift))

    def held(self, cta: int, lane: int, column: int) -> Iterator[Located]:
        """The elements in a cell, lowest bits first."""
        return filter(None, (self.at(cta, lane, column, slot) for slot in self.slots))


@dataclass(frozen=True, kw_only=True)
class SharedMatrix(Matrix):
    """
    A matrix in shared memory: in each CTA, `size` bytes that begin at `address`.

    `offsets` maps an element to (CTA, byte, byte without swizzling, bit) of each copy; bytes are
    relative to the address. `slots` are the bits of a 128-byte row at which elements begin.
    """

    address: int
    size: int
    slots: tuple[int, ...]
    offsets: Callable[[int, int], tuple[tuple[int, int, int, int], ...]]

    def _places(self, pair: Pair) -> Iterator[SharedPlace]:
        start = self.address
        for cta, byte, unswizzled, bit in self.offsets(*pair):
            yield SharedPlace(cta, start + byte, start + unswizzled, bit, self.bits)

    def _keys(self, place: SharedPlace) -> Iterator[tuple[int, ...]]:
        yield True, place.cta, place.byte * 8 + place.bit
        yield False, place.cta, place.unswizzled * 8 + place.bit

    def at(self, cta: int, bit: int, swizzled: bool = True) -> Located | None:
        """The element that contains a bit of shared memory. If `swizzled` is false, the bit is an
        address without swizzling."""
        found = (self._held.get((swizzled, cta, bit - inside)) for inside in range(self.bits))
        return next(filter(None, found), None)

    def held(self, cta: int, byte: int, swizzled: bool = True) -> Iterator[Located]:
        """The elements that have bits in a byte, lowest bits first."""
        found = (self.at(cta, bit, swizzled) for bit in range(byte * 8, byte * 8 + 8))
        return filter(None, dict.fromkeys(found))

    @property
    def byte_range(self) -> range:
        return range(self.address, self.address + self.size)

    @property
    def lines(self) -> range:
        """The first byte of each 128-byte row."""
        return range(self.address // ROW_BYTES * ROW_BYTES, self.byte_range.stop, ROW_BYTES)


@lru_cache(maxsize=1024)
def row_group(name: str, rows: int, row: int, together: int = WARP_LANES) -> ColourGroup:
    """The colour of a row; `together` rows share it, because they lie in the lanes of one warp."""
    block = row // together
    last = min((block + 1) * together, rows) - 1
    return ColourGroup(f"{name} {block * together}-{last}", block, row // _CLOSE_ROWS % 2)


_PACK = "pack::16b"


def parse_access(text: str, split_offset: int | None = None) -> Cover:
    """
    Parse the name of an access, SHAPE.NUM or SHAPE.NUM.pack::16b in PTX spelling.

    By default, the split offset makes the columns of an access contiguous. Raises Violation and
    QuestionError.
    """
    shape, *rest = text.removeprefix(".").split(".")
    names = {each.ptx.removeprefix("."): name for name, each in SHAPES.items()}
    if shape not in names or len(rest) not in (1, 2) or rest[1:] not in ([], [_PACK]):
        legal = f"SHAPE.NUM or SHAPE.NUM.{_PACK} with SHAPE one of {', '.join(names)}"
        raise UsageError("access", text, f"{legal}, such as 32x32b.x8")
    name, (num, *pack) = names[shape], rest
    registers(name, num)
    cover = contiguous(name, num, bool(pack))
    if split_offset is None:
        return cover
    if not SHAPES[name].has_split_offset:
        check_split_offset(name, split_offset)
    elif split_offset <= 0 or split_offset % cover.width:
        legal = f"multiples of {cover.width}, the columns"
        raise QuestionError("split offset", split_offset, legal)
    return replace(cover, split_offset=split_offset)


def contiguous(shape: str, num: str, pack: bool) -> Cover:
    """Accesses of a shape; a split offset makes the columns of each access contiguous."""
    if not SHAPES[shape].has_split_offset:
        return Cover(shape, num, pack)
    return Cover(shape, num, pack, Cover(shape, num, pack, 0).width)


def access_name(cover: Cover) -> str:
    """The name of an access in answers."""
    name = f"{SHAPES[cover.shape].ptx.removeprefix('.')}.{cover.num}{f'.{_PACK}' * cover.pack}"
    split = cover.split_offset
    return name if split is None else f"{name} with split offset {split}"


def check_access(matrix: Matrix, cover: Cover) -> TensorMatrix:
    """Check that tcgen05.ld can load a matrix so; return it. Raises Violation and QuestionError."""
    if not isinstance(matrix, TensorMatrix):
        raise QuestionError(f"memory of {matrix.name} with ld and st", "shared", "tensor")
    if cover.pack and (matrix.bits, matrix.room) != (PACKED_BITS, CELL_BITS):
        found = f"{matrix.bits} bits in {matrix.room}"
        raise PACKED_BITS_RULE.violation(found, f"{PACKED_BITS} bits in {CELL_BITS}")
    return matrix


def in_registers(matrix: TensorMatrix, located: Located, cover: Cover) -> Located:
    """The place of an element in registers, after accesses to the whole matrix."""
    place = located.place
    assert isinstance(place, TensorPlace)
    holder = cover.holder(Cell(place.lane, place.column), matrix.origin.column)
    return in_register(located, holder, holder.bit // PACKED_BITS)


def held_in_register(
    matrix: Matrix,
    cover: Cover,
    cta: int,
    warp: int,
    thread: int,
    register: int,
    lane: int | None = None,
    column: int | None = None,
) -> Iterator[Located]:
    """The elements in a register after an access at (lane, column), lowest bits first. By default,
    the access is the first one of the warp. Raises Violation and QuestionError."""
    found = check_access(matrix, cover)
    found.check_cta(cta)
    check_index("warp", warp, _WARPS)
    check_index("thread", thread, WARP_LANES)
    check_index("register", register, cover.registers)
    lanes = range(warp * WARP_LANES, (warp + 1) * WARP_LANES)
    if lane is None:
        inside = found.origin.lane % SHAPES[cover.shape].lanes
        lane = lanes.start + found.origin.lane - inside
    if column is None:
        column = found.origin.column
    check_index(f"lane of an access by warp {warp}", lane, lanes)
    check_address(cover.shape, cover.num, lane, column, cover.pack, cover.split_offset)
    holder = Holder(lane, column, thread, register)
    for half, cell in enumerate(cover.holds(holder)):
        for located in found.held(cta, *cell):
            yield in_register(located, holder, half)


def in_register(located: Located, holder: Holder, half: int = 0) -> Located:
    """The place in registers of an element in tensor memory. `holder` is the register of its cell,
    and `half` the half of the register if cells are packed."""
    element, place = located
    assert isinstance(place, TensorPlace)
    access_lane, access_column, thread, register, _ = holder
    cta, lane, column, bit, bits = place
    warp, bit = lane // WARP_LANES, bit + half * PACKED_BITS
    found = RegisterPlace(
        cta, warp, thread, register, bit, bits, access_lane, access_column, lane, column
    )
    return Located(element, found)
