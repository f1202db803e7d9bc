"""Matrix products in the emulator, against plain numpy."""

from collections.abc import Iterator
from itertools import cycle, product
from typing import Any

import pytest

from tcgen05_dialect.isa.mma import SHAPES
from tcgen05_dialect.isa.scale import IDS, SCALE_SHAPES, SCALE_TYPES
from tcgen05_dialect.isa.shared_memory_layout import SWIZZLE_COMBINATIONS
from tcgen05_dialect.isa.table import Row

from .mma_case import PADS, Case
from .mma_reference import BITS, SWIZZLES

Point = dict[str, Any]


def ordered(row: Row, column: str) -> list[Any]:
    return sorted(row[column], key=repr if column != "n" else None)


def scaling(kind: str, k: int, scale: str | None) -> Iterator[Point]:
    """The rows of Tables 54 and 55 for a kind, with each data ID."""
    if scale is None:
        yield {}
        return
    spellings = SCALE_TYPES.values("scale_vectorsize", kind=kind, scale=scale)
    for spelling in sorted(spellings, key=repr):
        factors = SCALE_SHAPES.value("factors", kind=kind, scale_vectorsize=spelling, k=k)
        ids = sorted(IDS.values("id", factors=factors))
        for sfa, sfb in zip(ids, ids[::-1], strict=True):
            yield {
                "scale_type": scale,
                "scale_vectorsize": spelling,
                "factors": factors,
                "sfa_id": sfa,
                "sfb_id": sfb,
            }


def points(row: Row) -> Iterator[Point]:
    """Points of a row of Table 39: every value of each column at least once, in pairs for M and
    N; all scalings."""
    kind, ws, cta_group, sparse = (
        next(iter(row[column])) for column in ("kind", "ws", "cta_group", "sparse")
    )
    a, b, d = (cycle(ordered(row, column)) for column in ("a", "b", "d"))
    columns = ordered(row, "n")
    for _ in range(max(len(row["a"]), len(row["b"]))):
        next(b)
        for m, k in product(ordered(row, "m"), ordered(row, "k")):
            for n in {columns[0], columns[len(columns) // 2], columns[-1]}:
                yield {
                    "kind": kind,
                    "m": m,
                    "n": n,
                    "k": k,
                    "a": next(a),
                    "b": next(b),
                    "d": next(d),
                    "ws": ws,
                    "sparse": sparse,
                    "cta_group": cta_group,
                }


ROWS = list(SHAPES.rows)


def name(row: Row) -> str:
    kind, ws, ctas, sparse, d = (
        next(iter(row[column])) for column in ("kind", "ws", "cta_group", "sparse", "d")
    )
    return f"{kind}{'.ws' * ws}{'.sp' * sparse}-{ctas}-{d}"


def scale_of(row: Row) -> list[Any]:
    return ordered(row, "scale")


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_row_of_table_39(row: Row) -> None:
    point = next(points(row))
    scale = scale_of(row)[-1]
    for memory in ("shared", "tensor"):
        scaled = next(scaling(point["kind"], point["k"], scale))
        Case(**point, **scaled, a_memory=memory).check()


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=name)
def test_points_of_table_39(row: Row) -> None:
    """M and N at their limits, all types, both memories of A, all scalings and IDs."""
    memories = cycle(("shared", "tensor"))
    for point in points(row):
        for scale in scale_of(row):
            for scaled in scaling(point["kind"], point["k"], scale):
                Case(**point, **scaled, a_memory=next(memories)).check()


def matrices(kind: str) -> Iterator[tuple[str, bool, str]]:
    """Types of A, whether it is transposed, and swizzles, by Table 52."""
    for element in sorted(SHAPES.values("a", kind=kind)):
        for row in SWIZZLE_COMBINATIONS.points():
            if (
                row["bits"] != BITS[element]
                or kind.startswith("mxf4")
                and row["major"] != "k_major"
            ):
                continue
            if row["major"] == "k_major" and row["swizzle"] == "swizzle_128b_atom_32b":
                continue
            yield element, row["major"] == "mn_major", row["swizzle"]


def fits(case: Case, element: str, k: int, swizzle: str, transposed: bool) -> bool:
    """Whether K of the product lies in the rows of a K-major atom."""
    room = max(8, BITS[element]) if case.kind in PADS else BITS[element]
    width = SWIZZLES[swizzle][0]
    return transposed or width == 16 or k * room // 8 <= width
