"""Block scaling: sizes and layouts of the scale factor matrices (9.7.16.10.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from tcgen05_dialect.isa.mma.shapes import (
    K96,
    KIND_RULE,
    SCALE_VECTOR_RULE,
    SCALE_VECTOR_SIZES,
    SHAPES,
    TYPE_RULE,
    VECTOR_SIZES,
    kind_names,
    stored_elements,
)
from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.model.rule import Violation, rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, COLUMNS, LANES, WARP_LANES

_SECTION = "9.7.16.10.7.1"
ID_RULE = rule("T5-SCALE-001")
COLUMN_RULE = rule("T5-SCALE-002")


def _sizes(kind: str) -> Iterator[tuple[object, ...]]:
    legal: frozenset[str | None] = SCALE_VECTOR_SIZES.values("scale_vectorsize", kind=kind)
    for spelling in (name for name in VECTOR_SIZES if name in legal):
        for sparse in BOOLEANS:
            for k in sorted(SHAPES.values("k", kind=kind, sparse=sparse)):
                # .scale_vec::NX gives the number of scale factors; with .blockN it follows from K.
                size = VECTOR_SIZES[spelling]
                counted = stored_elements(k, sparse) // size.block
                yield kind, spelling, k, size.number or counted


SCALE_SHAPES = Table(
    "Table 54",
    _SECTION,
    ("kind", "scale_vectorsize", "k", "factors"),
    tuple(row for kind in kind_names(block_scaled=True) for row in _sizes(kind)),
    SCALE_VECTOR_RULE,
    {"kind": KIND_RULE},
)
"""Number of scale factors of each row of A and each column of B in one MMA."""


def _spellings(kind: str, scale_type: str) -> frozenset[str | None]:
    """The spellings of scale_vectorsize for a type of scale factors. ue4m3, the type with a
    mantissa, scales only blocks of 16."""
    legal: frozenset[str | None] = SCALE_VECTOR_SIZES.values("scale_vectorsize", kind=kind)
    return frozenset(
        name for name in legal if scale_type == "ue8m0" or VECTOR_SIZES[name].block == 16
    )


SCALE_TYPES = Table(
    "Table 55",
    _SECTION,
    ("kind", "element", "scale", "scale_vectorsize"),
    tuple(
        (kind, SHAPES.values("a", kind=kind), scale, _spellings(kind, scale))
        for kind in kind_names(block_scaled=True)
        for scale in sorted(SHAPES.values("scale", kind=kind))
    ),
    SCALE_VECTOR_RULE,
    {"kind": KIND_RULE, "element": TYPE_RULE, "scale": TYPE_RULE},
    {"scale": "scale_type"},
)

CELL_BYTES = CELL_BITS // 8
IDS = Table(
    "Scale factor data ID by number of scale factors",
    "9.7.16.10.7.2",
    ("factors", "id"),
    ((1, range(4)), (2, (0, 2)), (3, range(4)), (4, 0), (6, (0, 2))),
    ID_RULE,
)
"""The byte of the first scale factor in its cell."""


def _ids(kind: str, scale: str, k96: bool) -> frozenset[int]:
    """The IDs that are legal for this type with at least one `.scale_vectorsize` of the kind."""
    counts = {
        count
        for k in SHAPES.values("k", kind=kind)
        if (k == K96) == k96
        for name in SCALE_TYPES.values("scale_vectorsize", kind=kind, scale=scale)
        for count in SCALE_SHAPES.values("factors", kind=kind, scale_vectorsize=name, k=k)
    }
    return frozenset(id_ for count in counts for id_ in IDS.values("id", factors=count))


# Table 44 lists only 0 and 2; the sections on K = 96 show all four.
SCALE_FACTOR_IDS = Table(
    "Scale factor data ID",
    "9.7.16.10.7.2",
    ("kind", "scale", "k96", "id"),
    tuple(
        (kind, scale, k96, _ids(kind, scale, k96))
        for kind in kind_names(block_scaled=True)
        for scale in sorted(SHAPES.values("scale", kind=kind))
        for k96 in BOOLEANS
        if _ids(kind, scale, k96)
    ),
    ID_RULE,
    titles={"scale": "scale_type"},
)
"""Legal IDs in an instruction descriptor if the scale_vectorsize is unknown."""


def violations(
    kind: str,
    scale_vectorsize: str | None,
    k: int,
    scale_type: str,
    sfa_id: int,
    sfb_id: int,
) -> list[Violation]:
    """Violations by the scale factors of an MMA: of Tables 54 and 55, and by both IDs. If the
    scale_vectorsize is illegal for the kind, violations that depend on it are not reported."""
    shape = {"kind": kind, "scale_vectorsize": scale_vectorsize, "k": k}
    if SCALE_SHAPES.row(**shape) is None:
        return [SCALE_SHAPES.violation(**shape)]
    factors = SCALE_SHAPES.value("factors", **shape)
    types = {"kind": kind, "scale": scale_type, "scale_vectorsize": scale_vectorsize}
    found = [] if SCALE_TYPES.row(**types) is not None else [SCALE_TYPES.violation(**types)]
    legal = IDS.values("id", factors=factors)
    for name, id_ in (("sfa_id", sfa_id), ("sfb_id", sfb_id)):
        if id_ not in legal:
            found.append(ID_RULE.violation(id_, legal, f"{name} with {factors} scale factors"))
    return found


def spellings(
    kind: str, extents_k: Collection[int], scale_types: Collection[str]
) -> tuple[str | None, ...]:
    """The equivalent spellings of an omitted scale_vectorsize, explicit ones first; they have the
    same number of scale factors for each K. Raises Violation if the program must give one."""
    for scale in scale_types:
        SCALE_TYPES.check(kind=kind, scale=scale)
    numbers = {
        name: [
            SCALE_SHAPES.values("factors", kind=kind, scale_vectorsize=name, k=k)
            for k in sorted(extents_k)
        ]
        for name in VECTOR_SIZES
        if all(
            SCALE_TYPES.row(kind=kind, scale=scale, scale_vectorsize=name) for scale in scale_types
        )
    }
    meant = numbers.get(None, next(iter(numbers.values()), None))
    same = [name for name, number in numbers.items() if number == meant]
    if not same or (None not in numbers and len(same) < len(numbers)):
        raise SCALE_VECTOR_SIZES.violation(kind=kind, scale_vectorsize=None)
    return tuple(sorted(same, key=lambda name: name is None))


class ScalePosition(NamedTuple):
    """The position of a scale factor in tensor memory: the lanes that hold copies of it, the column
    relative to the address of the matrix, and the byte of the cell."""

    lanes: tuple[int, ...]
    column: int
    byte: int


ATOM_ROWS = LANES
"""Number of rows of a scale factor atom: four factors of each row, 512 bytes, which one `cp`
copies."""
ATOM_COLUMNS = ATOM_ROWS // WARP_LANES
ATOM_BYTES = ATOM_ROWS * CELL_BYTES


class ScaleFactors(NamedTuple):
    """The scale factors of A or B in the memory of one CTA: `factors` along K for each of `rows`
    rows of A or columns of B.

    `folds` is 2 for a B whose D is folded (`DataPathLayout.folds`: M = 128 with cta_group::2). Each
    half of the factors is then in the lanes of its half of D.
    """

    rows: int
    factors: int
    folds: int = 1

    @property
    def groups(self) -> int:
        """The number of groups of four scale factors along K."""
        return -(-self.factors // CELL_BYTES)

    @property
    def group_columns(self) -> int:
        """The number of tensor memory columns of one group, for all rows."""
        return -(-self.rows // (self.folds * ATOM_ROWS)) * ATOM_COLUMNS

    @property
    def columns(self) -> int:
        """The number of tensor memory columns of all scale factors."""
        return self.groups * self.group_columns

    @property
    def used_columns(self) -> int:
        """The number of columns from the first to the last one with a scale factor."""
        empty = -(self.rows // self.folds) % ATOM_ROWS // WARP_LANES
        return self.columns - empty

    @property
    def size_bytes(self) -> int:
        """The number of bytes of shared memory of all scale factors."""
        return self.groups * -(-self.rows // ATOM_ROWS) * ATOM_BYTES

    def position(self, row: int, factor: int) -> ScalePosition:
        """The position of scale factor `factor` of a row in tensor memory; each warp has a copy.

        For an MMA that begins at scale factor `factor`, add the `column` of row 0 to the address,
        and use its `byte` as ID.
        """
        fold, row = divmod(row, self.rows // self.folds)
        part = LANES // self.folds
        lanes = range(fold * part + row % WARP_LANES, (fold + 1) * part, WARP_LANES)
        group, byte = divmod(factor, CELL_BYTES)
        return ScalePosition(tuple(lanes), row // WARP_LANES + group * self.group_columns, byte)

    def byte_offset(self, row: int, factor: int) -> int:
        """The byte offset of scale factor `factor` of a row in global and shared memory; copies of
        shape 32x128b move it to its `position`."""
        atom, row = divmod(row, ATOM_ROWS)
        column, lane = divmod(row, WARP_LANES)
        group, byte = divmod(factor, CELL_BYTES)
        start = (atom * self.groups + group) * ATOM_BYTES
        return start + (lane * ATOM_COLUMNS + column) * CELL_BYTES + byte

    def column_violations(self, column: int) -> list[Violation]:
        """
        Violations by a matrix whose address is in this column of tensor memory.

        A matrix that leaves half of its last atom empty may begin in the middle of an atom: in
        CUTLASS, two tiles with an odd multiple of 64 columns of B share the copy of an atom.
        """
        half = ATOM_COLUMNS // 2
        unit = half if self.columns - self.used_columns >= half else ATOM_COLUMNS
        legal = range(0, COLUMNS - self.columns + ATOM_COLUMNS - unit + 1, unit)
        return [] if column in legal else [COLUMN_RULE.violation(column, legal)]
