"""Sparse matrices A: granularity, and meaning and layout of the metadata (9.7.16.10.8); the
zero-column mask descriptor of tcgen05.mma.ws (9.7.16.4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tcgen05_dialect.isa.element import INDEX
from tcgen05_dialect.isa.mma.shapes import KIND, KINDS, instruction_k, stored_elements
from tcgen05_dialect.isa.model.bitfield import BitLayout, FieldReading, fixed, flag, number
from tcgen05_dialect.isa.model.rule import Violation, raise_any, rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS

if TYPE_CHECKING:
    from tcgen05_dialect.isa.mma.shapes import DataPathLayout, Position

INDEX_RULE = rule("T5-SPARSE-001")

INDEX_BITS = INDEX.bits
"""An index holds two positions of 2 bits each, the first one in the low bits."""
_POSITION_BITS = INDEX_BITS // 2
_PARTS = 1 << _POSITION_BITS


class Granularity(NamedTuple):
    """A sparse granularity: half of each `chunk` of adjacent elements of a row of A is stored.

    One index selects the stored half. A position counts quarters of the chunk: half an element for
    1:2, two elements for 4:8.
    """

    chunk: int

    @property
    def name(self) -> str:
        return f"{self.stored}:{self.chunk}"

    @property
    def stored(self) -> int:
        """The number of stored elements of a chunk."""
        return stored_elements(self.chunk, sparse=True)

    def positions(self, index: int) -> tuple[int, ...]:
        """The position in the chunk of each stored element. Indices that the manual leaves
        undefined are read in the same way."""
        together = max(1, self.chunk // _PARTS)
        places: list[int] = []
        for element in range(self.stored):
            which, inside = divmod(element, together)
            position = index >> which * _POSITION_BITS & (_PARTS - 1)
            places.append(position * self.chunk // _PARTS + inside)
        return tuple(places)


_ONE_OF_TWO = Granularity(2)
_TWO_OF_FOUR = Granularity(4)
_FOUR_OF_EIGHT = Granularity(8)
GRANULARITIES = {
    "tf32": _ONE_OF_TWO,
    "f16": _TWO_OF_FOUR,
    "f8f6f4": _TWO_OF_FOUR,
    "mxf8f6f4": _TWO_OF_FOUR,
    "i8": _TWO_OF_FOUR,
    "mxf4": _FOUR_OF_EIGHT,
    "mxf4nvf4": _FOUR_OF_EIGHT,
}
"""By kind (9.7.16.10.8.1 to .3)."""

# 0b0110 gives its two positions in descending order, the other indices in ascending order.
_TWO_POSITIONS = (0b0100, 0b0110, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110)
INDICES = Table(
    "Meaningful indices",
    "9.7.16.10.8",
    ("granularity", "index"),
    (
        (_ONE_OF_TWO.name, (0b0100, 0b1110)),
        ((_TWO_OF_FOUR.name, _FOUR_OF_EIGHT.name), _TWO_POSITIONS),
    ),
    INDEX_RULE,
)


def metadata_indices(kind: str) -> int:
    """The number of indices for each row of A in the metadata of one MMA. Raises Violation."""
    KIND.check(kind)
    return instruction_k(kind, sparse=True) // GRANULARITIES[kind].chunk


def metadata_columns(kind: str) -> int:
    """The number of tensor memory columns of the metadata of one MMA. Raises Violation."""
    return metadata_indices(kind) * INDEX_BITS // CELL_BITS


_ONE_COLUMN = tuple(kind for kind in KINDS if metadata_columns(kind) == 1)
"""Kinds with sparsity selectors other than 0; the selector selects the column."""
SHARING_ROWS = 8
"""For these kinds, the distance between the two rows that share two lanes."""


def metadata_positions(
    kind: str, layout: DataPathLayout, m: int, chunk: int, lane: int = 0
) -> tuple[Position, ...]:
    """The positions of the lowest bit of the index for chunk `chunk` of row m of A, one in each
    copy.

    The metadata has the same data path layout as D and A. `lane` is the lane of its address;
    columns are relative to the column that the address and the sparsity selector give.
    """
    column, bit = divmod(chunk * INDEX_BITS, CELL_BITS)
    if kind in _ONE_COLUMN:
        # Each of the two lanes holds half of K.
        half, bit = divmod(bit, CELL_BITS // 2)
        block, row = divmod(m, 2 * SHARING_ROWS)
        row_half, row = divmod(row, SHARING_ROWS)
        m = block * 2 * SHARING_ROWS + half * SHARING_ROWS + row
        bit += row_half * CELL_BITS // 2
    return tuple(
        place._replace(column=column, bit=bit)
        for place in layout.a_positions(m, 0, CELL_BITS, lane)
    )


def metadata_violations(kind: str | None, word: int) -> list[Violation]:
    """Violations by the eight indices in a cell of metadata, lowest first. If the kind is unknown,
    only indices that are illegal for every kind violate the rule."""
    granularity = {} if kind is None else {"granularity": GRANULARITIES[kind].name}
    indices = (word >> bit & ((1 << INDEX_BITS) - 1) for bit in range(0, CELL_BITS, INDEX_BITS))
    legal = INDICES.values("index", **granularity)
    suffix = "".join(f", granularity {name}" for name in granularity.values())
    return [
        INDEX_RULE.violation(
            f"{index:#06b}",
            tuple(f"{other:#06b}" for other in sorted(legal)),
            f"index at bit {at * INDEX_BITS} of the metadata{suffix}",
        )
        for at, index in enumerate(indices)
        if index not in legal
    ]


_SECTION = "9.7.16.4.3"
MASK_RULE = rule("T5-DESC-010")
SHIFT_RULE = rule("T5-DESC-011")

SUB_MASKS = Table(
    "Zero-column mask",
    _SECTION,
    ("m", "sub_masks", "column_shift"),
    (
        (128, 1, range(33)),
        (64, 2, range(33)),
        (32, 4, range(17)),
    ),
    rule("T5-DESC-012"),
    {"column_shift": SHIFT_RULE},
)
"""By M: the number of sub-masks into which the N columns are divided, and the legal column
shifts."""

_COUNT = max(SUB_MASKS.values("sub_masks"))
MASK_LAYOUT = BitLayout(
    "Table 45",
    _SECTION,
    64,
    (
        *(number(f"start_count{i}", 8 * i, 8 * i + 7) for i in range(_COUNT)),
        *(flag(f"first_span{i}", 32 + i) for i in range(_COUNT)),
        fixed(36, 38),
        flag("non_zero", 39),
        number("skip_span", 40, 47),
        number("use_span", 48, 55),
        number("column_shift", 56, 61, SUB_MASKS.values("column_shift"), rule=SHIFT_RULE),
        fixed(62, 63),
    ),
    MASK_RULE,
    "zero-column mask",
)


@dataclass(frozen=True, slots=True)
class ZeroColumnMask:
    """The columns of B that are treated as zero.

    Runs of `skip_span + 1` zero columns and `use_span + 1` used columns alternate. (The text of the
    section swaps the two spans, but its examples do not.) Sub-mask i begins with a zero run if
    `first_span[i]` is set, else with a used run; the first `start_count[i]` columns of this run are
    missing. Without `non_zero` no column is zero. `column_shift` shifts the columns of B that the
    MMA reads.
    """

    start_count: tuple[int, ...] = (0,) * _COUNT
    first_span: tuple[bool, ...] = (False,) * _COUNT
    non_zero: bool = False
    skip_span: int = 0
    use_span: int = 0
    column_shift: int = 0

    def _fields(self) -> dict[str, int | bool]:
        return {
            **{f"start_count{i}": count for i, count in enumerate(self.start_count)},
            **{f"first_span{i}": first for i, first in enumerate(self.first_span)},
            "non_zero": self.non_zero,
            "skip_span": self.skip_span,
            "use_span": self.use_span,
            "column_shift": self.column_shift,
        }

    def encode(self) -> int:
        """The 64-bit value. Raises Violation that names every field without an encoding."""
        return MASK_LAYOUT.encode(**self._fields())

    @classmethod
    def decode(cls, value: int) -> ZeroColumnMask:
        """The mask with this 64-bit value. Raises Violation that names every wrong field."""
        fields = MASK_LAYOUT.decode(value)
        return cls(
            tuple(fields.pop(f"start_count{i}") for i in range(_COUNT)),
            tuple(fields.pop(f"first_span{i}") for i in range(_COUNT)),
            **fields,
        )

    @staticmethod
    def explain(value: int) -> list[FieldReading]:
        """The fields of a 64-bit value, each with its violation."""
        return MASK_LAYOUT.explain(value)

    def __str__(self) -> str:
        text = "no column zeroed"
        if self.non_zero:
            starts = ", ".join(
                f"{'zeroed' if first else 'used'} without {count}"
                for first, count in zip(self.first_span, self.start_count, strict=True)
            )
            text = (
                f"{self.skip_span + 1} zeroed, {self.use_span + 1} used; sub-masks begin {starts}"
            )
        return f"{text}; shifted by {self.column_shift}" if self.column_shift else text

    def violations(self, m: int | None) -> list[Violation]:
        """Violations of the mask in an MMA with this M; None if M is unknown."""
        found = MASK_LAYOUT.violations(**self._fields())
        if m is not None and not found:
            point = {"m": m, "column_shift": self.column_shift}
            if SUB_MASKS.row(**point) is None:
                found.append(SUB_MASKS.violation(**point))
        return found

    def verify(self, m: int) -> None:
        """Raise Violation that names all of `violations`."""
        raise_any(self.violations(m))

    def mask(self, m: int, n: int) -> int:
        """The generated mask: bit c is 1 if column c of the `n` columns of B is treated as zero.

        Raises Violation for an M without masks."""
        sub_masks: int = SUB_MASKS.value("sub_masks", m=m)
        if not self.non_zero:
            return 0
        zeroed, used = self.skip_span + 1, self.use_span + 1
        columns = n // sub_masks
        mask = 0
        for column in range(n):
            part, at = divmod(column, columns)
            phase = (at + self.start_count[part]) % (zeroed + used)
            is_zero = phase < zeroed if self.first_span[part] else phase >= used
            mask |= is_zero << column
        return mask
