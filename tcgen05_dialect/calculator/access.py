"""
Places of matrix elements in tensor memory, shared memory and registers.

Matrices in memory, and the elements in the registers of a tcgen05.ld or tcgen05.st.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from tcgen05_dialect.calculator.grid import ColourGroup, QuestionError, UsageError
from tcgen05_dialect.isa.mma.shapes import Position
from tcgen05_dialect.isa.shared_memory.descriptor import PATTERN_ROWS, ROW_BYTES, UNIT_BYTES
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES, Cell
from tcgen05_dialect.isa.tensor_memory.ld_st import (
    PACKED_BITS,
    PACKED_BITS_RULE,
    SHAPES,
    Cover,
    Holder,
    check_address,
    check_split_offset,
    registers,
)

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
    def _places(self, pair: Pair) -> tuple[Place, ...]:
        """The places of an element, one for each copy."""

    @cached_property
    def _all_places(self) -> dict[Place, Pair]:
        """The inverse of `_places`."""
        first, second = self.extents
        pairs = product(range(first), range(second))
        return {place: pair for pair in pairs for place in self._places(pair)}

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

    def _element(self, pair: Pair) -> MatrixElement:
        return MatrixElement(self.name, *self.indices(pair), *self.index_names)

    def located(self, row: int, column: int) -> tuple[Located, ...]:
        """An element with each of its places. Raises QuestionError outside the matrix."""
        pair = self.indices((row, column))
        for name, index, extent in zip(self.names, pair, self.extents, strict=True):
            if index not in range(extent):
                raise QuestionError(f"{name} of {self.name}", index, range(extent))
        element = self._element(pair)
        return tuple(Located(element, place) for place in self._places(pair))

    def check_cta(self, cta: int) -> None:
        """Raise QuestionError for a CTA that holds no part of the matrix."""
        if cta not in range(self.ctas):
            raise QuestionError(f"CTA with part of {self.name}", cta, range(self.ctas))


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

    def _place(self, position: Position) -> TensorPlace:
        cta, lane, column, bit = position
        return TensorPlace(cta, lane, self.origin.column + column, bit + self.shift, self.bits)

    def _places(self, pair: Pair) -> tuple[TensorPlace, ...]:
        return tuple(map(self._place, self.positions(*pair)))

    def at(self, cta: int, lane: int, column: int, slot: int) -> Located | None:
        """The element in a slot of a cell."""
        place = self._place(Position(cta, lane, column - self.origin.column, slot))
        pair = self._all_places.get(place)
        return None if pair is None else Located(self._element(pair), place)

    def held(self, cta: int, lane: int, column: int) -> Iterator[Located]:
        """The elements in a cell, lowest bits first."""
        found = (self.at(cta, lane, column, slot) for slot in self.slots)
        return (each for each in found if each is not None)


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

    def _place(self, cta: int, byte: int, unswizzled: int, bit: int) -> SharedPlace:
        return SharedPlace(cta, self.address + byte, self.address + unswizzled, bit, self.bits)

    def _places(self, pair: Pair) -> tuple[SharedPlace, ...]:
        return tuple(self._place(*offset) for offset in self.offsets(*pair))

    def at(self, cta: int, bit: int, swizzled: bool = True) -> Located | None:
        """The element that contains a bit of shared memory. If `swizzled` is false, the bit is an
        address without swizzling."""
        starts = self._swizzled if swizzled else self._unswizzled
        found = (starts.get((cta, bit - inside)) for inside in range(self.bits))
        place = next((each for each in found if each is not None), None)
        return None if place is None else Located(self._element(self._all_places[place]), place)

    @cached_property
    def _swizzled(self) -> dict[tuple[int, int], SharedPlace]:
        """CTA and first bit of an element -> its place."""
        return {(each.cta, each.byte * 8 + each.bit): each for each in self._shared_places()}

    @cached_property
    def _unswizzled(self) -> dict[tuple[int, int], SharedPlace]:
        """The same with bits as numbered without swizzling."""
        return {(each.cta, each.unswizzled * 8 + each.bit): each for each in self._shared_places()}

    def _shared_places(self) -> Iterator[SharedPlace]:
        return (each for each in self._all_places if isinstance(each, SharedPlace))

    def held(self, cta: int, byte: int, swizzled: bool = True) -> Iterator[Located]:
        """The elements that have bits in a byte, lowest bits first."""
        found = (self.at(cta, bit, swizzled) for bit in range(byte * 8, byte * 8 + 8))
        return (each for each in dict.fromkeys(found) if each is not None)

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
    if SHAPES[name].has_split_offset:
        width = Cover(name, num, bool(pack), 0).width
        split_offset = width if split_offset is None else split_offset
        if split_offset <= 0 or split_offset % width:
            raise QuestionError("split offset", split_offset, f"multiples of {width}, the columns")
    elif split_offset is not None:
        check_split_offset(name, split_offset)
    return Cover(name, num, bool(pack), split_offset)


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
    """
    The elements in a register after an access at (lane, column), lowest bits first.

    By default, the access is the first one of the warp. Raises Violation and QuestionError.
    """
    found = check_access(matrix, cover)
    found.check_cta(cta)
    for name, index, extent in (
        ("warp", warp, _WARPS),
        ("thread", thread, WARP_LANES),
        ("register", register, cover.registers),
    ):
        if index not in range(extent):
            raise QuestionError(name, index, range(extent))
    lanes = range(warp * WARP_LANES, (warp + 1) * WARP_LANES)
    if lane is None:
        inside = found.origin.lane % SHAPES[cover.shape].lanes
        lane = lanes.start + found.origin.lane - inside
    if column is None:
        column = found.origin.column
    if lane not in lanes:
        raise QuestionError(f"lane of an access by warp {warp}", lane, lanes)
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
    return Located(
        element,
        RegisterPlace(
            place.cta,
            place.lane // WARP_LANES,
            thread,
            register,
            place.bit + half * PACKED_BITS,
            place.bits,
            access_lane,
            access_column,
            place.lane,
            place.column,
        ),
    )
