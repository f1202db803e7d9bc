"""
Places of an element or of a whole matrix, elements at a place, and the sum that makes D.

Layouts, which notebooks show as pictures.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import compress, product
from typing import Any, NamedTuple

from ..isa.mma.sparse import GRANULARITIES
from ..isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES
from ..isa.tensor_memory.ld_st import PACKED_BITS, REGISTERS, SHAPES, Cover, Holder
from . import Cell, Grid, Placement, QuestionError, Record
from .access import (
    Located,
    Matrix,
    SharedMatrix,
    TensorMatrix,
    access_name,
    check_access,
    check_index,
    contiguous,
    in_register,
    in_registers,
    joined_text,
    parse_access,
)
from .answer import as_table
from .multiplication import Multiplication, multiplication
from .operands import operand_matrix
from .picture import as_svg


def locate(
    matrix: Matrix, row: int, column: int, cover: Cover | None = None
) -> tuple[Located, ...]:
    """All places of an element, in memory or in registers after accesses to the whole matrix.
    Raises Violation and QuestionError."""
    if cover is None:
        return matrix.located(row, column)
    checked = check_access(matrix, cover)
    return tuple(in_registers(checked, each, cover) for each in matrix.located(row, column))


def elements_in_cell(matrix: Matrix, cta: int, lane: int, column: int) -> tuple[Located, ...]:
    """The elements in a cell of tensor memory, lowest bits first. Raises QuestionError."""
    if not isinstance(matrix, TensorMatrix):
        raise QuestionError(f"memory of {matrix.name} with lane and column", "shared", "tensor")
    matrix.check_cta(cta)
    check_index("lane", lane, LANES)
    check_index(f"column of {matrix.name}", column, matrix.column_range)
    return tuple(matrix.held(cta, lane, column))


def elements_in_byte(
    matrix: Matrix, cta: int, byte: int, swizzled: bool = True
) -> tuple[Located, ...]:
    """The elements that have bits in a byte of shared memory, lowest bits first. If `swizzled` is
    false, the byte is its address without swizzling. Raises QuestionError."""
    if not isinstance(matrix, SharedMatrix):
        raise QuestionError(f"memory of {matrix.name} with a byte", "tensor", "shared")
    matrix.check_cta(cta)
    check_index(f"byte of {matrix.name}", byte, matrix.byte_range)
    return tuple(matrix.held(cta, byte, swizzled))


Terms = Mapping[str, Sequence[Located]]
"""Operand -> the places of its element, or of the elements from which the metadata select one."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """An element of D after one MMA, as a sum of products of elements of A and B and their scale
    factors. If A is sparse, the metadata select elements of B."""

    result: Sequence[Located]
    products: Sequence[Terms]

    def grid(self) -> Grid:
        """A table with a row for each product."""
        first, names = self.result[0], list(self.products[0])
        cells: list[list[Cell]] = []
        for index, terms in enumerate(self.products):
            row: list[Cell] = []
            for found in terms.values():
                elements = " or ".join(dict.fromkeys(str(element) for element, _ in found))
                row += [Cell(elements), Cell(joined_text(place for _, place in found))]
            fields = {name: [each.fields() for each in found] for name, found in terms.items()}
            record = Record({"product": index, **fields})
            cells.append([row[0]._replace(facts=(record,)), *row[1:]])
        return Grid(
            f"{'; '.join(map(str, self.result))}\n= the sum of these products and, with "
            f"enable-input-d, of {first.element}",
            "product",
            [text for name in names for text in (name, f"place of {name}")],
            [str(index) for index in range(len(self.products))],
            cells,
        )


def calculation(
    mma: Multiplication,
    m: int,
    n: int,
    placements: Mapping[str, Placement],
    cover: Cover | None = None,
) -> Calculation:
    """The sum for D(m, n) in the first MMA of a tile. Operands without a placement have the usual
    one. Raises Violation and QuestionError."""

    def made(name: str) -> Matrix:
        return operand_matrix(mma, name, placements.get(name, Placement()))

    d, a, b = made("D"), made("A"), made("B")
    granularity = GRANULARITIES[mma.kind]
    chunk, stored = (granularity.chunk, granularity.stored) if mma.sparse else (1, 1)
    extent = mma.instruction_k // chunk * stored
    operands: dict[str, Callable[[int], Iterable[Located]]] = {
        "A": lambda at: a.located(m, at),
        "B": lambda at: [
            each
            for k in range(at // stored * chunk, (at // stored + 1) * chunk)
            for each in b.located(k, n)
        ],
    }
    if mma.sparse:
        metadata = made("metadata")
        operands["metadata"] = lambda at: metadata.located(m, at // stored)
    if mma.is_block_scaled:
        sfa, sfb, count = made("SFA"), made("SFB"), mma.instruction_factors
        operands["SFA"] = lambda at: sfa.located(m, at * count // extent)
        operands["SFB"] = lambda at: sfb.located(at * count // extent, n)
    return Calculation(
        locate(d, m, n, cover),
        [{name: tuple(find(at)) for name, find in operands.items()} for at in range(extent)],
    )


def places_table(matrix: Matrix, cover: Cover | None = None) -> Grid:
    """
    A table with the place of each element. Colours show the warp of a lane, the 16-byte unit of
    shared memory, or the thread.

    With `cover`, places are registers after its accesses. Raises Violation and QuestionError.
    """
    row_name, column_name = matrix.index_names
    return Grid(
        matrix.what if cover is None else f"{matrix.what}, through {access_name(cover)}",
        f"{matrix.name}[{row_name}][{column_name}]",
        [str(column) for column in range(matrix.columns)],
        [str(row) for row in range(matrix.rows)],
        [
            [_place_cell(locate(matrix, row, column, cover)) for column in range(matrix.columns)]
            for row in range(matrix.rows)
        ],
    )


def _place_cell(found: Sequence[Located]) -> Cell:
    place = found[0].place
    return Cell(joined_text(each.place for each in found), place.mark, place.group, found)


def elements_table(
    matrix: Matrix, cta: int = 0, cover: Cover | None = None, swizzled: bool = True
) -> Grid:
    """
    A table with the element at each place in the memory of a CTA, coloured by element.

    With `cover`, places are the registers of all warps after its accesses. Raises Violation and
    QuestionError.
    """
    matrix.check_cta(cta)
    if cover is not None:
        return _in_registers(check_access(matrix, cover), cta, cover)
    if isinstance(matrix, SharedMatrix):
        return _in_shared_memory(matrix, cta, swizzled)
    assert isinstance(matrix, TensorMatrix)
    return _in_tensor_memory(matrix, cta)


def _element_cell(matrix: Matrix, located: Located | None) -> Cell:
    if located is None:
        return Cell()
    element = located.element
    group = matrix.group(*matrix.indices((element.row, element.column)))
    return Cell(f"{element.row},{element.column}", element.mark, group, (located,))


def _parts(bits: int) -> list[str]:
    """Suffixes that distinguish the parts of a cell or register; each part has `bits` bits."""
    if bits == CELL_BITS:
        return [""]
    return [f"[{first + bits - 1}:{first}]" for first in range(0, CELL_BITS, bits)]


def _in_tensor_memory(matrix: TensorMatrix, cta: int) -> Grid:
    columns = matrix.column_range
    return Grid(
        f"{matrix.what}, tensor memory of CTA {cta}",
        "lane \\ column",
        [f"{column}{part}" for column in columns for part in _parts(matrix.room)],
        [str(lane) for lane in range(LANES)],
        [
            [
                _element_cell(matrix, matrix.at(cta, lane, column, slot))
                for column in columns
                for slot in matrix.slots
            ]
            for lane in range(LANES)
        ],
    )


def _in_shared_memory(matrix: SharedMatrix, cta: int, swizzled: bool) -> Grid:
    without = "" if swizzled else " without swizzling"
    return Grid(
        f"{matrix.what}, shared memory of CTA {cta}{without}",
        "byte",
        [f"+{slot // 8}{f'.{slot % 8}' if matrix.bits % 8 else ''}" for slot in matrix.slots],
        [f"{line:#x}" for line in matrix.lines],
        [
            [
                _element_cell(matrix, matrix.at(cta, line * 8 + slot, swizzled))
                for slot in matrix.slots
            ]
            for line in matrix.lines
        ],
    )


def _in_registers(matrix: TensorMatrix, cta: int, cover: Cover) -> Grid:
    """A row for each thread; a column for each register of each access, or for its parts."""
    halves = range(0, WARP_LANES, SHAPES[cover.shape].lanes)
    first, columns = matrix.origin.column, cover.columns(matrix.width)
    accesses = list(product(halves, columns, range(cover.registers)))
    threads = [divmod(thread, WARP_LANES) for thread in range(LANES)]
    rows: list[list[Cell]] = []
    for warp, thread in threads:
        rows.append(row := [])
        for lane, column, register in accesses:
            holder = Holder(warp * WARP_LANES + lane, first + column, thread, register)
            for half, cell in enumerate(cover.holds(holder)):
                for slot in matrix.slots:
                    found = matrix.at(cta, *cell, slot)
                    held = None if found is None else in_register(found, holder, half)
                    row.append(_element_cell(matrix, held))
    headers = [
        f"{f'l{lane} ' if len(halves) > 1 else ''}c{first + column} r{register}{part}"
        for lane, column, register in accesses
        for part in _parts(PACKED_BITS if cover.pack else matrix.room)
    ]
    used = [any(cell.text for cell in column) for column in zip(*rows, strict=True)]
    return Grid(
        f"{matrix.what}, registers of CTA {cta} after {access_name(cover)}",
        "warp, thread",
        list(compress(headers, used)),
        [f"w{warp} t{thread}" for warp, thread in threads],
        [list(compress(row, used)) for row in rows],
    )


def fragments(matrix: Matrix, pack: bool = False, columns: int | None = None) -> Grid:
    """
    A table with a row for each shape and repeat factor whose accesses cover `columns` columns of a
    matrix exactly; by default, all its columns.

    The row gives the number of accesses of each warp and the number of registers of each thread.
    For 16x32bx2, the split offset makes the columns of an access contiguous. Raises Violation and
    QuestionError.
    """
    points = [(point["shape"], point["num"]) for point in REGISTERS.points()]
    tensor = check_access(matrix, Cover(*points[0], pack))
    extent = tensor.width if columns is None else columns
    check_index(f"columns of {matrix.name}", extent, range(1, tensor.width + 1))
    lanes = [lane for lane in range(WARP_LANES) if any(tensor.held(0, lane, tensor.origin.column))]
    covers = [contiguous(shape, num, pack) for shape, num in points]
    records = [_record(cover, extent, lanes) for cover in covers if extent % cover.period == 0]
    if not records:
        least = min(cover.period for cover in covers)
        raise QuestionError("columns that accesses fill", extent, f"multiples of {least}")
    return Grid.of_records(f"{matrix.what}, {extent} columns of tensor memory", records)


def _record(cover: Cover, extent: int, lanes: list[int]) -> dict[str, Any]:
    shape = SHAPES[cover.shape]
    halves = {lane // shape.lanes for lane in lanes}
    accesses = len(halves) * len(cover.columns(extent))
    return {
        "access": access_name(cover),
        "lanes": shape.lanes,
        "columns": cover.width * shape.accesses,
        "registers": cover.registers,
        "accesses of a warp": accesses,
        "registers in all": accesses * cover.registers,
        "used in %": 100 * len(lanes) // (len(halves) * shape.lanes),
    }


class Layout(NamedTuple):
    """A layout, shown as a picture in a notebook; `str` is its table."""

    grid: Grid

    @classmethod
    def of(
        cls,
        matrix: str,
        kind: str = "f16",
        *,
        by_place: bool = False,
        through: str | None = None,
        placement: Placement | None = None,
        **mma: Any,
    ) -> Layout:
        """
        The layout of a matrix (`A`, `B`, `D`, `SFA`, `SFB`, `metadata`) of an MMA, as `calc layout`
        prints it: the place of each element. With `by_place`, as `calc placement`: the element at
        each place. `through` is an access such as `32x32b.x8`; other arguments, such as `m` and
        `cta_group`, are those of `multiplication`. Raises Violation and QuestionError.
        """
        found = operand_matrix(multiplication(kind, **mma), matrix, placement or Placement())
        access = None if through is None else parse_access(through)
        grid = elements_table(found, 0, access) if by_place else places_table(found, access)
        return cls(grid)

    def part(self, rows: range, columns: range) -> Layout:
        """Some rows and columns. Raises QuestionError."""
        return Layout(self.grid.part(rows, columns))

    def __str__(self) -> str:
        return as_table(self.grid)

    def _repr_html_(self) -> str:
        # Inside one document, the names in several pictures would collide.
        data = b64encode(as_svg(self.grid).encode()).decode()
        return f'<img alt="{escape(self.grid.title)}" src="data:image/svg+xml;base64,{data}">'
