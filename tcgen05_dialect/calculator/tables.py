"""Tables of whole matrices: the place of each element, or the element at each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

from tcgen05_dialect.calculator.access import access_name, check_access, in_register, in_registers
from tcgen05_dialect.calculator.grid import Cell, Grid
from tcgen05_dialect.calculator.matrix import Matrix, SharedMatrix, TensorMatrix
from tcgen05_dialect.calculator.places import Located, joined_text
from tcgen05_dialect.isa.tensor_memory.cells import CELL_BITS, LANES, WARP_LANES
from tcgen05_dialect.isa.tensor_memory.ld_st import PACKED_BITS, SHAPES
from tcgen05_dialect.isa.tensor_memory.ld_st_cover import Cover, Holder


def places_table(matrix: Matrix, cover: Cover | None = None) -> Grid:
    """
    A table with the place of each element. Colours show the warp of a lane, the 16-byte unit of
    shared memory, or the thread.

    With `cover`, places are registers after its accesses. Raises Violation and QuestionError.
    """
    rows, columns = range(matrix.rows), range(matrix.columns)
    if cover is None:
        cells = [[_place_cell(matrix.located(m, n)) for n in columns] for m in rows]
    else:
        checked = check_access(matrix, cover)
        cells = [
            [
                _place_cell([in_registers(checked, each, cover) for each in matrix.located(m, n)])
                for n in columns
            ]
            for m in rows
        ]
    row_name, column_name = matrix.index_names
    return Grid(
        _title(matrix, cover),
        f"{matrix.name}[{row_name}][{column_name}]",
        [str(column) for column in columns],
        [str(row) for row in rows],
        cells,
    )


def _place_cell(found: Sequence[Located]) -> Cell:
    place = found[0].place
    text = place.text if len(found) == 1 else joined_text(place for _, place in found)
    return Cell(text, place.mark, place.group, found)


def _title(matrix: Matrix, cover: Cover | None) -> str:
    return matrix.what if cover is None else f"{matrix.what}, through {access_name(cover)}"


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
    return Cell(element.text, element.mark, group, (located,))


def _parts(bits: int) -> list[str]:
    """Suffixes that distinguish the parts of a cell or register; each part has `bits` bits."""
    if bits == CELL_BITS:
        return [""]
    return [f"[{first + bits - 1}:{first}]" for first in range(0, CELL_BITS, bits)]


def _in_tensor_memory(matrix: TensorMatrix, cta: int) -> Grid:
    slots, columns = matrix.slots, matrix.column_range
    parts = _parts(matrix.room)
    return Grid(
        f"{matrix.what}, tensor memory of CTA {cta}",
        "lane \\ column",
        [f"{column}{part}" for column in columns for part in parts],
        [str(lane) for lane in range(LANES)],
        [
            [
                _element_cell(matrix, matrix.at(cta, lane, column, slot))
                for column in columns
                for slot in slots
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
    lanes = SHAPES[cover.shape].lanes
    halves = range(0, WARP_LANES, lanes)
    first = matrix.origin.column
    accesses = [
        (lane, first + column, register)
        for lane in halves
        for column in cover.columns(matrix.width)
        for register in range(cover.registers)
    ]
    threads = [divmod(thread, WARP_LANES) for thread in range(LANES)]
    rows = [
        [
            _element_cell(matrix, each)
            for lane, column, register in accesses
            for each in _held(matrix, cover, cta, warp, Holder(lane, column, thread, register))
        ]
        for warp, thread in threads
    ]
    parts = _parts(PACKED_BITS if cover.pack else matrix.room)
    headers = [
        f"{f'l{lane} ' if len(halves) > 1 else ''}c{column} r{register}{part}"
        for lane, column, register in accesses
        for part in parts
    ]
    used = [any(cell.text for cell in column) for column in zip(*rows, strict=True)]
    return Grid(
        f"{matrix.what}, registers of CTA {cta} after {access_name(cover)}",
        "warp, thread",
        list(compress(headers, used)),
        [f"w{warp} t{thread}" for warp, thread in threads],
        [list(compress(row, used)) for row in rows],
    )


def _held(
    matrix: TensorMatrix, cover: Cover, cta: int, warp: int, holder: Holder
) -> Iterator[Located | None]:
    """The elements in the parts of a register."""
    access = holder._replace(lane=warp * WARP_LANES + holder.lane)
    for half, cell in enumerate(cover.holds(access)):
        for slot in matrix.slots:
            found = matrix.at(cta, *cell, slot)
            yield None if found is None else in_register(found, access, half)
