"""Tests of matrix products in the emulator, against plain numpy."""

from collections.abc import Iterator
from itertools import cycle, product
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.isa.mma.shapes import SHAPES
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.model.table import Row
from tcgen05_dialect.isa.shared_memory.layout import SWIZZLE_COMBINATIONS

from ..support.effort import sampled
from ..support.mma_case import A_COLUMN, D_COLUMN, PADS, Case, Point, f16, scaling
from ..support.mma_reference import BITS, SWIZZLES, Tile


def ordered(row: Row, column: str) -> list[Any]:
    return sorted(row[column], key=repr if column != "n" else None)


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
            for n in sorted({columns[0], columns[len(columns) // 2], columns[-1]}):
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
        ordered(row, column)[0] for column in ("kind", "ws", "cta_group", "sparse", "d")
    )
    return f"{kind}{'.ws' if ws else ''}{'.sp' if sparse else ''}-{ctas}-{d}"


def scale_of(row: Row) -> list[Any]:
    return ordered(row, "scale")


@pytest.mark.slow
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
    """Combinations of M and N at their limits, types, memories of A, scalings and IDs."""
    cases = [
        {**point, **scaled}
        for point in points(row)
        for scale in scale_of(row)
        for scaled in scaling(point["kind"], point["k"], scale)
    ]
    memories = cycle(("shared", "tensor"))
    for case in sampled(cases, 2):
        Case(**case, a_memory=next(memories)).check()


def matrices(kind: str) -> Iterator[tuple[str, bool, str]]:
    """Types of A, whether it is transposed, and swizzles, by Table 52."""
    for element in sorted(SHAPES.values("a", kind=kind)):
        for row in SWIZZLE_COMBINATIONS.points():
            if row["bits"] != BITS[element] or (
                kind.startswith("mxf4") and row["major"] != "k_major"
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


KINDS = sorted(SHAPES.values("kind"))


def arrangements(kind: str, sparse: bool, cta_group: int) -> Iterator[Case]:
    """Products with A and B in every type, majorness and swizzle, start addresses inside of rows,
    and base offsets."""
    scale = sorted(SHAPES.values("scale", kind=kind), key=repr)[-1]
    k = min(SHAPES.values("k", kind=kind, sparse=sparse))
    scaled = next(scaling(kind, k, scale))
    m = 256 if cta_group == 2 else 128
    others = cycle(list(matrices(kind))[::-1])
    for element, transposed, swizzle in matrices(kind):
        for seed in range(2):
            case = Case(
                kind,
                m,
                64,
                k,
                element,
                element,
                sorted(SHAPES.values("d", kind=kind, a=element))[-1],
                sparse=sparse,
                cta_group=cta_group,
                transpose_a=transposed,
                swizzle_a=swizzle,
                **scaled,
                seed=seed,
            )
            case.b, case.transpose_b, case.swizzle_b = next(others)
            while not fits(case, case.b, k, case.swizzle_b, case.transpose_b):
                case.b, case.transpose_b, case.swizzle_b = next(others)
            case.__post_init__()
            if seed:
                both = (case.a, case.swizzle_a), (case.b, case.swizzle_b)
                if all(fits(case, *(of, 2 * k, swizzle, False)) for of, swizzle in both):
                    case.advance = 32
                if "no_swizzle" not in (case.swizzle_a, case.swizzle_b):
                    case.phase = 3
            yield case


@pytest.mark.parametrize("kind", ["f16", "tf32"])
def test_majorness_and_swizzle(kind: str) -> None:
    for case in arrangements(kind, sparse=False, cta_group=1):
        case.check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sparse", "cta_group"),
    sampled(product(KINDS, (False, True), (1, 2)), 1, of=lambda point: point[0]),
)
def test_every_majorness_and_swizzle(kind: str, sparse: bool, cta_group: int) -> None:
    for case in sampled(arrangements(kind, sparse, cta_group), 2):
        case.check()


def i8(**more: Any) -> Case:
    return Case("i8", 128, 64, 32, "u8", "u8", "s32", **more)


MASK = (0xF0F01234, 0, 0xFFFFFFFF, 0x80000001)
OPTIONS = {
    "negate a": f16(negate_a=True),
    "negate b": f16(negate_b=True),
    "negate both": f16(negate_a=True, negate_b=True),
    "no input d": f16(accumulate=False),
    "scale input d": f16(scale_input_d=3),
    "scale input d most": f16(scale_input_d=15),
    "scale input d sparse": f16(scale_input_d=1, sparse=True),
    "wrap": i8(),
    "saturate": i8(saturate=True),
    "disabled": f16(disabled=MASK),
    "disabled, all": f16(disabled=(2**32 - 1,) * 4),
    "disabled, half": f16(64, disabled=MASK),
    "disabled, pair": f16(256, cta_group=2, disabled=(*MASK, 1, 2, 3, 4)),
    "disabled, folded": f16(128, cta_group=2, disabled=(*MASK, 1, 2, 3, 4)),
    "upper lanes": f16(64, half=16),
    "upper lanes, A": f16(64, half=16, a_memory="tensor"),
    "upper lanes, sparse": f16(64, half=16, sparse=True, a_memory="tensor"),
    "upper lanes, pair": f16(128, cta_group=2, half=16, sparse=True),
    "upper lanes, pair, A": f16(128, cta_group=2, half=16, sparse=True, a_memory="tensor"),
    "selector 1": f16(sparse=True, selector=1),
    "selector 3": f16(sparse=True, selector=3, ws=True),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_option(option: str) -> None:
    OPTIONS[option].check()


def runs(text: str, columns: int) -> list[int]:
    """Columns that a mask of the manual zeroes: its first bits, the lowest on the right, and the
    seven after them again and again."""
    bits = text.replace(" ", "")[::-1]
    while len(bits) < columns:
        bits += bits[-7:]
    return [column for column in range(columns) if bits[column] == "1"]


EXAMPLE_4 = ("0000 111 0000 111", "0000 111 0000 11", "111 0000 111 00", "111 0000 111 000")
"""The manual's example 4 for M = 32 (9.7.16.4.3): sub-masks 0 to 3."""


@pytest.mark.parametrize("n", [64, 128])
@pytest.mark.parametrize("sparse", [False, True])
def test_zero_column_mask(n: int, sparse: bool) -> None:
    """Example 4 of the manual: four sub-masks, columns 2 to N + 1 of B."""
    zeroed = [
        part * n // 4 + column
        for part, text in enumerate(EXAMPLE_4)
        for column in runs(text, n // 4)
    ]
    starts, firsts = (0, 1, 2, 1), (1, 1, 0, 0)
    mask = sum(start << 8 * part for part, start in enumerate(starts))
    mask |= sum(first << 32 + part for part, first in enumerate(firsts))
    mask |= 1 << 39 | 2 << 40 | 3 << 48 | 2 << 56
    case = f16(
        32,
        n,
        ws=True,
        sparse=sparse,
        zero_column_mask=mask,
        zeroed=tuple(zeroed),
        column_shift=2,
        max_shift=8,
    )
    case.check()


def test_no_column_is_zeroed() -> None:
    f16(128, ws=True, zero_column_mask=0).check()


def test_shift_of_a() -> None:
    """A is multiplied as it was, and moves by one lane in each warp's lanes."""
    case = f16(a_memory="tensor", ashift=True)
    case.place()
    columns = slice(A_COLUMN, A_COLUMN + 8)
    before = case.ctas[0].tensor.cells[:, columns].copy()
    expected = case.expected()
    case.multiply()
    cells = case.ctas[0].tensor.cells
    assert np.array_equal(cells[:, case.d_columns], expected)
    for lane in range(128):
        source = lane if lane % 32 == 31 else lane + 1
        assert np.array_equal(cells[lane, columns], before[source])


def test_one_rounding_to_f16() -> None:
    """A sum that rounds otherwise if each product is rounded, and to infinity."""
    case = Case("f16", 64, 8, 16, "f16", "f16", "f16")
    numbers = np.ones((64, 16))
    numbers[0] = 2.0**-11
    numbers[1] = 60000
    case.a_bits, case.a_numbers = numbers.astype(np.float16).view(np.uint16).astype("u8"), numbers
    case.b_bits, case.b_numbers = np.full((8, 16), 0x3C00, np.uint64), np.ones((8, 16))
    case.d_numbers[:] = 1
    with np.errstate(over="ignore"):
        case.check()
    cells = case.ctas[0].tensor.cells
    assert cells[0, D_COLUMN] == np.float16(1 + 2.0**-7).view(np.uint16)
    assert cells[1, D_COLUMN] == 0x7C00


INFINITY, NAN, ZERO, ONE = 0x7F80, 0x7FC1, 0, 0x3F80


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (INFINITY, ONE, 0x7F800000),
        (INFINITY | 0x8000, ONE, 0xFF800000),
        (INFINITY, ZERO, 0x7FFFFFFF),
        (NAN, ONE, 0x7FFFFFFF),
        (0x7F00, 0x7F00, 0x7F800000),
    ],
)
def test_what_is_not_finite(a: int, b: int, expected: int) -> None:
    case = Case("f16", 64, 8, 16, "bf16", "bf16", accumulate=False)
    case.a_bits[:], case.b_bits[:] = ZERO, ONE
    case.a_bits[5, 7], case.b_bits[:, 7] = a, b
    case.place()
    case.multiply()
    assert case.ctas[0].tensor.cells[case.lanes[0, 5], D_COLUMN] == expected


def test_k_past_the_end_of_a_row() -> None:
    case = f16(sparse=True, swizzle_b="swizzle_32b")
    case.place()
    with pytest.raises(Violation, match="T5-DESC-013"):
        case.multiply()


def test_absolute_leading_dimension() -> None:
    """K of 48 bytes from byte 96 of the rows on: the rest begins at the absolute address."""
    scaled = next(scaling("mxf4", 96, "ue8m0"))
    case = Case("mxf4", 256, 64, 96, "e2m1", "e2m1", cta_group=2, **scaled)
    tiles: list[Tile] = []
    start = 2048
    for rows in (case.rows, case.n // 2):
        for k, advance in ((64, 96), (32, 0)):
            tile = Tile("e2m1", rows, k, False, "swizzle_128b", False, start, advance)
            start = (tile.end + 1023) // 1024 * 1024
            tiles.append(tile)
    case.place()
    for rank, cta in enumerate(case.ctas):
        cta.shared.bytes[:], cta.shared.written[:] = 0, False
        a, b = case.a_bits[case.mine(rank)], case.b_bits[rank * 32 : rank * 32 + 32]
        for tile, bits in zip(tiles, (a[:, :64], a[:, 64:], b[:, :64], b[:, 64:]), strict=True):
            tile.write(cta.shared, bits)
    descriptors = [
        first.descriptor() & ~(0x3FFF << 16) | second.pattern >> 4 << 16 | 1 << 52
        for first, second in (tiles[:2], tiles[2:])
    ]
    product = case.product()
    product.values = {**product.values, **dict(zip("ab", descriptors, strict=True))}
    expected = case.expected()
    for step in product.issue():
        step()
    for rank, cta in enumerate(case.ctas):
        assert np.array_equal(cta.tensor.cells[:, case.d_columns], expected[case.mine(rank)])
