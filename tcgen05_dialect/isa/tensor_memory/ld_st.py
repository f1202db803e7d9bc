"""Loads and stores, tcgen05.ld, .ld.red and .st: shapes, registers and fragments, and the covers of
a matrix by several of them (9.7.16.8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.model.rule import Violation, raise_any, rule
from tcgen05_dialect.isa.model.table import Mnemonic, Qualifier, Table
from tcgen05_dialect.isa.tensor_memory.alloc import (
    CELL_BITS,
    COLUMNS,
    LANE_RULE,
    LANES,
    WARP_LANES,
    Cell,
)

_LD_SECTION = "9.7.16.8.3"
_ST_SECTION = "9.7.16.8.4"
MAX_REGISTERS = 128
SHAPE_RULE = rule("T5-LDST-001", max_registers=MAX_REGISTERS)
REGISTERS_RULE = rule("T5-LDST-002")
SPLIT_RULE = rule("T5-LDST-003")
REDUCTION_RULE = rule("T5-LDST-004")
COLUMN_RULE = rule("T5-LDST-006", columns=COLUMNS)
PACK_RULE = rule("T5-LDST-007")
PACKED_BITS_RULE = rule("T5-LDST-008")
HALVES_RULE = rule("T5-LDST-009")

PACKED_BITS = 16
"""Size in bits of the elements that pack and unpack copy in pairs."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A data movement shape: `accesses` accesses to `lanes` lanes of `bits` bits each.

    For 32-bit elements `cell` maps (thread, register, split offset) to (lane, column), relative to
    the address.
    """

    lanes: int
    bits: int
    cell: Callable[[int, int, int], tuple[int, int]]
    accesses: int = 1

    @property
    def ptx(self) -> str:
        repeat = f"x{self.accesses}" if self.accesses > 1 else ""
        return f".{self.lanes}x{self.bits}b{repeat}"

    @property
    def name(self) -> str:
        return self.ptx.replace(".", "shape_")

    @property
    def has_split_offset(self) -> bool:
        return self.accesses > 1

    @property
    def registers(self) -> int:
        """The number of registers of each thread at repeat factor x1."""
        return self.lanes * self.bits * self.accesses // (WARP_LANES * CELL_BITS)


SHAPES = {
    shape.name: shape
    for shape in (
        Shape(16, 64, lambda t, i, _: (t // 4 + 8 * (t % 2), 2 * i + t // 2 % 2)),
        Shape(16, 128, lambda t, i, _: (t // 4 + 8 * (i % 2), i // 2 * 4 + t % 4)),
        Shape(
            16,
            256,
            lambda t, i, _: (t // 4 + 8 * (i // 2 % 2), i // 4 * 8 + 2 * (t % 4) + i % 2),
        ),
        Shape(16, 32, lambda t, i, split: (t % 16, i + t // 16 * split), 2),
        Shape(32, 32, lambda t, i, _: (t, i)),
    )
}
NUMS = {f"x{1 << power}": 1 << power for power in range(8)}
"""Repeat factors."""

REGISTERS = Table(
    "Tables 47 and 48",
    _LD_SECTION,
    ("shape", "num", "registers"),
    tuple(
        (shape.name, num, shape.registers * factor)
        for shape in SHAPES.values()
        for num, factor in NUMS.items()
        if shape.registers * factor <= MAX_REGISTERS
    ),
    SHAPE_RULE,
    {"registers": REGISTERS_RULE},
    {"registers": "a vector of length {}"},
)

_REDUCED_SHAPES = ("shape_32x32b", "shape_16x32bx2")
_REDUCED_NUMS = tuple(num for num in NUMS if num != "x1")
REDUCTIONS = Table(
    "Reduction of tcgen05.ld.red",
    _LD_SECTION,
    ("shape", "num", "op", "type", "abs", "nan"),
    (
        (_REDUCED_SHAPES, _REDUCED_NUMS, ("min", "max"), "f32", BOOLEANS, BOOLEANS),
        (_REDUCED_SHAPES, _REDUCED_NUMS, ("min", "max"), ("u32", "s32"), False, False),
    ),
    REDUCTION_RULE,
    {"shape": SHAPE_RULE, "num": SHAPE_RULE},
)

ADDRESS_LANES = Table(
    "Lane of the address",
    "9.7.16.8.1",
    ("shape", "lane"),
    tuple((shape.name, range(0, LANES, shape.lanes)) for shape in SHAPES.values()),
    LANE_RULE,
    {"shape": SHAPE_RULE},
)
"""Lanes at which an access may begin: the first lane of a warp, or the first lane of either half of
its lanes."""

SHAPE = Qualifier("shape", {name: shape.ptx for name, shape in SHAPES.items()}, SHAPE_RULE)
NUM = Qualifier("num", {name: f".{name}" for name in NUMS}, SHAPE_RULE)
PACK = Qualifier("pack", {False: "", True: ".pack::16b"}, PACK_RULE)
UNPACK = Qualifier("unpack", {False: "", True: ".unpack::16b"}, PACK_RULE)
_REDUCTION_OP = Qualifier("redOp", {"min": ".min", "max": ".max"}, REDUCTION_RULE)
_TYPE = Qualifier("type", {"f32": ".f32", "u32": ".u32", "s32": ".s32"}, REDUCTION_RULE)
_ABS = Qualifier("abs", {False: "", True: ".abs"}, REDUCTION_RULE)
_NAN = Qualifier("NaN", {False: "", True: ".NaN"}, REDUCTION_RULE)

LD = Mnemonic(
    "tcgen05.ld.sync.aligned{shape}{num}{pack}.b32",
    _LD_SECTION,
    {"shape": SHAPE, "num": NUM, "pack": PACK},
)
LD_RED = Mnemonic(
    "tcgen05.ld.red.sync.aligned{shape}{num}{op}{abs}{nan}{type}",
    _LD_SECTION,
    {"shape": SHAPE, "num": NUM, "op": _REDUCTION_OP, "abs": _ABS, "nan": _NAN, "type": _TYPE},
    "ld_red",
)
ST = Mnemonic(
    "tcgen05.st.sync.aligned{shape}{num}{unpack}.b32",
    _ST_SECTION,
    {"shape": SHAPE, "num": NUM, "unpack": UNPACK},
)


def registers(shape: str, num: str) -> int:
    """The number of 32-bit registers of each thread. Raises Violation if the shape does not have
    this num."""
    count: int = REGISTERS.value("registers", shape=shape, num=num)
    return count


def check_registers(shape: str, num: str, registers: int) -> None:
    """Raise Violation unless `registers` is the number of 32-bit registers of each thread."""
    point = {"shape": shape, "num": num, "registers": registers}
    if REGISTERS.row(**point) is None:
        violation = REGISTERS.violation(**point)
        raise violation.blaming("values") if violation.culprit == "registers" else violation


def check_split_offset(shape: str, split_offset: int | None) -> None:
    """Raise Violation unless a split offset is given if and only if the shape has one."""
    SHAPE.check(shape)
    if SHAPES[shape].has_split_offset == (split_offset is None):
        legal = frozenset((split_offset is None or None,))
        what, given = "split_offset", {"shape": shape}
        raise SPLIT_RULE.violation(split_offset, legal, what, given=given, culprit=what)


def cells(
    shape: str, thread: int, register: int, pack: bool = False, split_offset: int | None = None
) -> tuple[Cell, ...]:
    """The cells that a register of a thread holds, relative to the address. It is one cell or, with
    `pack`, two, whose low 16 bits are the low and the high half of the register.

    The arguments must be legal for `registers` and `check_split_offset`.
    """
    cell = SHAPES[shape].cell
    lane, column = cell(thread, register, split_offset or 0)
    if not pack:
        return (Cell(lane, column),)
    # Packing doubles the columns, but not the split offset, which is in columns of tensor memory.
    column += cell(thread, register, 0)[1]
    return (Cell(lane, column), Cell(lane, column + 1))


def fragment(
    shape: str, num: str, pack: bool = False, split_offset: int | None = None
) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
    """The matrix fragment of a warp: `fragment(...)[thread][register]` is the result of `cells`.

    Raises Violation for an illegal shape, num or split offset."""
    count = registers(shape, num)
    check_split_offset(shape, split_offset)
    return tuple(
        tuple(cells(shape, thread, register, pack, split_offset) for register in range(count))
        for thread in range(WARP_LANES)
    )


class Footprint(NamedTuple):
    """The lanes that an instruction of one warp accesses, and the columns of each access."""

    lanes: range
    columns: tuple[range, ...]


def footprint(
    shape: str,
    num: str,
    pack: bool = False,
    split_offset: int | None = None,
    lane: int = 0,
    column: int = 0,
) -> Footprint:
    """The footprint of ld or st at the address (lane, column). Raises Violation as `fragment`
    does."""
    REGISTERS.check(shape=shape, num=num)
    check_split_offset(shape, split_offset)
    width = SHAPES[shape].bits // CELL_BITS * NUMS[num] * (2 if pack else 1)
    starts = [column + access * (split_offset or 0) for access in range(SHAPES[shape].accesses)]
    return Footprint(
        range(lane, lane + SHAPES[shape].lanes), tuple(range(at, at + width) for at in starts)
    )


def check_halves(shape: str, num: str, unpack: bool, split_offset: int | None) -> None:
    """Raise Violation if the two halves of a store write the same columns. Each argument must be
    legal."""
    columns = footprint(shape, num, unpack, split_offset).columns
    if len(columns) > 1 and split_offset is not None and abs(split_offset) < len(columns[0]):
        found = f"{abs(split_offset)}, from offset {split_offset}"
        legal = f"at least {len(columns[0])} columns"
        raise HALVES_RULE.violation(found, legal, culprit="split_offset")


def address_violations(
    shape: str,
    num: str,
    lane: int,
    column: int,
    pack: bool = False,
    split_offset: int | None = None,
) -> list[Violation]:
    """Violations of an access at the address (lane, column)."""
    found: list[Violation] = []
    if ADDRESS_LANES.row(shape=shape, lane=lane) is None:
        found.append(ADDRESS_LANES.violation(shape=shape, lane=lane))
    for columns in footprint(shape, num, pack, split_offset, lane, column).columns:
        if columns.start < 0 or columns.stop > COLUMNS:
            last = columns.stop - 1
            found.append(
                COLUMN_RULE.violation(f"{columns.start} to {last}", f"within 0 to {COLUMNS - 1}")
            )
    return found


def check_address(
    shape: str,
    num: str,
    lane: int,
    column: int,
    pack: bool = False,
    split_offset: int | None = None,
) -> None:
    """Raise Violation that names all of `address_violations`."""
    raise_any(address_violations(shape, num, lane, column, pack, split_offset))


class Holder(NamedTuple):
    """A position in registers: bit `bit` of a register of thread `thread`, in the warp that can
    access the lanes, after the access at the address (`lane`, `column`)."""

    lane: int
    column: int
    thread: int
    register: int
    bit: int = 0


@dataclass(frozen=True)
class Cover:
    """Adjacent accesses of one shape, beginning at lane 0 and column 0.

    With a split offset, which must be a multiple of `width`, each access consists of two runs of
    columns at this distance. The accesses interleave without gaps.
    """

    shape: str
    num: str
    pack: bool = False
    split_offset: int | None = None

    @property
    def registers(self) -> int:
        """The number of registers of each thread in one access. Raises Violation."""
        return registers(self.shape, self.num)

    @cached_property
    def width(self) -> int:
        """The number of columns of each run of an access."""
        found = footprint(self.shape, self.num, self.pack, self.split_offset)
        return len(found.columns[0])

    @cached_property
    def period(self) -> int:
        """The number of columns that a group of interleaved accesses covers."""
        return (self.split_offset or self.width) * SHAPES[self.shape].accesses

    def holder(self, cell: Cell, first: int = 0) -> Holder:
        """The holder of a cell, if the first access begins in column `first`."""
        run = self.split_offset or self.width
        group, inside = divmod(cell.column - first, self.period)
        part, inside = divmod(inside, run)
        block, inside = divmod(inside, self.width)
        lane_inside, column_inside = cell.lane % SHAPES[self.shape].lanes, part * run + inside
        thread, register, bit = self._holders[lane_inside, column_inside]
        column = first + group * self.period + block * self.width
        return Holder(cell.lane - lane_inside, column, thread, register, bit)

    def columns(self, extent: int) -> tuple[int, ...]:
        """The first column of each access of those that cover `extent` columns, a multiple of the
        period."""
        run = self.period // SHAPES[self.shape].accesses
        return tuple(
            first + inside
            for first in range(0, extent, self.period)
            for inside in range(0, run, self.width)
        )

    def holds(self, holder: Holder) -> tuple[Cell, ...]:
        """The inverse of `holder`: the cells that a register holds; `bit` is ignored."""
        cells = self._fragment[holder.thread][holder.register]
        return tuple(Cell(holder.lane + lane, holder.column + column) for lane, column in cells)

    @cached_property
    def _fragment(self) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
        return fragment(self.shape, self.num, self.pack, self.split_offset)

    @cached_property
    def _holders(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """(lane, column) in an access -> thread, register, lowest bit."""
        return {
            cell: (thread, register, half * PACKED_BITS)
            for thread in range(WARP_LANES)
            for register, cells in enumerate(self._fragment[thread])
            for half, cell in enumerate(cells)
        }
