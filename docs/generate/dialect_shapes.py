"""The section of docs/dialect.md on the shapes of loads, stores and copies."""

from collections.abc import Iterator, Sequence
from itertools import product

from tcgen05_dialect.isa.model.rule import describe
from tcgen05_dialect.isa.tensor_memory import copies, ld_st
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, WARP_LANES

from .markdown import code, table

_ACCESSES = """\
The table describes an access with `x1`. `xN` multiplies columns and registers by N. `pack` and
`unpack` double the columns. The slice must have exactly these lanes and columns; with a split
offset s it must have s more columns.
"""
_FRAGMENTS = """\
The next table locates the element that a register holds. Write the number of the thread in its
warp, and the number of the register, as sums of powers of two; then add the entries of these
powers. With `shape_32x32b`, register 3 of thread 5 holds lane 1 + 4 and column 1 + 2. For register
8 and each further power of two, double the columns of the power before it. With `pack` or `unpack`
a register holds two elements of adjacent columns, and all columns except s double.
"""
_THREAD_BITS = tuple(1 << bit for bit in range((WARP_LANES - 1).bit_length()))
_REGISTER_BITS = (1, 2, 4)


def _accesses() -> Iterator[str]:
    rows = [
        (
            f"`{name}`",
            str(shape.lanes),
            str(shape.bits // CELL_BITS),
            str(shape.registers),
            f"`{nums[0]}` to `{nums[-1]}`",
            describe(ld_st.ADDRESS_LANES.values("lane", shape=name)),
            "yes" if shape.has_split_offset else "",
        )
        for name, shape in ld_st.SHAPES.items()
        if (nums := [num for num in ld_st.NUMS if ld_st.REGISTERS.row(shape=name, num=num)])
    ]
    head = "shape", "lanes", "columns", "registers", "num", "first lane", "split"
    yield from table(head, rows)


def _place(cell: tuple[int, int], splits: int) -> str:
    """The text of an offset in lanes, columns and split offsets."""
    lane, column = cell
    parts = (f"lane {lane}" * bool(lane), f"column {column}" * bool(column), "column s" * splits)
    return ", ".join(filter(None, parts))


def _contributions(shape: ld_st.Shape, split: int) -> list[tuple[int, int]]:
    """Lane and column for each bit of the number of a thread or register. Raises ValueError if
    those of other numbers are not their sums."""
    threads = {bit: shape.cell(bit, 0, split) for bit in _THREAD_BITS}
    registers = {bit: shape.cell(0, bit, split) for bit in _REGISTER_BITS}
    for thread, register in product(range(WARP_LANES), range(2 * max(_REGISTER_BITS))):
        cells = [cell for bit, cell in threads.items() if bit & thread]
        cells += [cell for bit, cell in registers.items() if bit & register]
        total = sum(lane for lane, _ in cells), sum(column for _, column in cells)
        if shape.cell(thread, register, split) != total:
            raise ValueError(f"the places of {shape.name} are no sums")
    return [*threads.values(), *registers.values()]


def _fragments() -> Iterator[str]:
    rows: list[Sequence[str]] = []
    for name, shape in ld_st.SHAPES.items():
        plain, split = _contributions(shape, 0), _contributions(shape, 1)
        places = [
            _place(cell, with_split[1] - cell[1])
            for cell, with_split in zip(plain, split, strict=True)
        ]
        rows.append((f"`{name}`", *places))
    head = [f"thread {bit}" for bit in _THREAD_BITS]
    head += [f"register {bit}" for bit in _REGISTER_BITS]
    yield from table(("shape", *head), rows)


def _copies() -> Iterator[str]:
    rows = [
        (
            f"`{name}`",
            str(shape.rows),
            str(shape.bits),
            str(shape.columns),
            code(words) if None not in words else "",
        )
        for name, shape in copies.SHAPES.items()
        if (words := sorted(copies.MULTICASTS.values("multicast", shape=name), key=str))
    ]
    yield from table(("shape", "rows", "bits of a row", "columns", "multicast"), rows)


def text() -> Iterator[str]:
    """The lines."""
    yield "### Shapes of `ld`, `ld.red` and `st`\n"
    yield _ACCESSES
    yield from _accesses()
    yield _FRAGMENTS
    yield from _fragments()
    yield "### Shapes of `cp`\n"
    yield from _copies()
