"""Tests of block scaling: Tables 54 and 55, IDs, and positions of scale factors."""

import re

import pytest

from tcgen05_dialect.isa.mma import scale, shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import descriptor_layout
from tcgen05_dialect.isa.mma.scale import ScaleFactors, ScalePosition
from tcgen05_dialect.isa.mma.shapes import data_path_layout
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.tensor_memory import copies

from ..support.golden_tables import Json, golden

VECTOR_SIZES = {"1X": "scale_vec_1x", "2X": "scale_vec_2x", "4X": "scale_vec_4x"}


def scale_factors(row: Json) -> ScaleFactors:
    """
    The matrix of a row of table sf_tmem. "2by2" is M = 128 with cta_group::2, where the columns of
    D are folded.
    """
    folds = 1
    if row["operand"] == "SFB":
        m = 128 if row["mode"] == "2by2" else 128 * row["cta_group"]
        folds = data_path_layout(m, row["cta_group"], sparse=False, ws=False).folds
    return ScaleFactors(row["MN"], row["nsf_per_mma"] * row["k_blocks"], folds)


def tensor_memory_is_right(row: Json) -> bool:
    """`map[k block][scale factor][0][row]` is [lane, column, byte] of the first copy."""
    matrix, factors = scale_factors(row), row["nsf_per_mma"]
    for block, of_block in enumerate(row["map"]):
        for factor, (replica,) in enumerate(of_block):
            for mn, (lane, column, byte) in enumerate(replica):
                lanes = tuple(lane + 32 * copy for copy in range(row["replicas"]))
                found = matrix.position(mn, block * factors + factor)
                if found != ScalePosition(lanes, column, byte):
                    return False
        first = matrix.position(0, block * factors)
        if scale.IDS.row(factors=factors, id=first.byte) is None:
            return False
    if "scale_vec" not in row:
        return True
    size = VECTOR_SIZES[row["scale_vec"]]
    return (
        scale.SCALE_SHAPES.values("factors", scale_vectorsize=size) == frozenset((factors,))
        and shapes.VECTOR_SIZES[size].block == row["vec"]
    )


def shared_memory_is_right(row: Json) -> bool:
    matrix = ScaleFactors(row["MN"], row["K"] // row["vec"])
    offsets = [
        [matrix.byte_offset(mn, factor) for factor in range(matrix.factors)]
        for mn in range(matrix.rows)
    ]
    return offsets == row["byte_off"] and matrix.size_bytes == 1 + max(map(max, offsets))


def k96_is_right(row: Json) -> bool:
    """Four consecutive MMAs along K; the first row of each."""
    count = row["sf_per_mma"]
    matrix = ScaleFactors(row["MN"], 4 * count)
    for mma_row in row["mma"]:
        first = count * mma_row["mma"]
        start = matrix.position(0, first)
        found = [list(matrix.position(0, first + i)[1:]) for i in range(count)]
        if (
            found != mma_row["bytes"]
            or (start.column, start.byte) != (mma_row["word_col"], mma_row["sf_id"])
            or (mma_row["addr"] & 0xFFFF, mma_row["addr"] >> 30) != (start.column, start.byte)
            or scale.IDS.row(factors=count, id=start.byte) is None
        ):
            return False
    return scale.SCALE_SHAPES.values(
        "factors", kind="mxf4nvf4", scale_vectorsize=f"block{row['vec']}", k=96
    ) == frozenset((count,))


CHECKS = {
    "sf_tmem": tensor_memory_is_right,
    "sf_gmem_smem": shared_memory_is_right,
    "sf_k96": k96_is_right,
}


def test_golden_scale_factors() -> None:
    rows = golden("scale_factors")
    assert [row for row in rows if not CHECKS[row["table"]](row)] == []


def test_table_54_as_printed() -> None:
    """The rows of the manual; None is an omitted scale_vectorsize (9.7.16.10.9.1)."""
    printed = {
        **{
            ("mxf8f6f4", size, k): 1 for size in (None, "scale_vec_1x", "block32") for k in (32, 64)
        },
        **{(kind, "scale_vec_2x", k): 2 for kind in ("mxf4", "mxf4nvf4") for k in (64, 96, 128)},
        **{("mxf4nvf4", "scale_vec_4x", k): 4 for k in (64, 96, 128)},
        **{("mxf4nvf4", "block16", k): 6 if k == 96 else 4 for k in (64, 96, 128)},
        **{
            (kind, size, k): 3 if k == 96 else 2
            for kind, size in (("mxf4", "block32"), ("mxf4nvf4", "block32"), ("mxf4", None))
            for k in (64, 96, 128)
        },
    }
    table = {tuple(point.values())[:3]: point["factors"] for point in scale.SCALE_SHAPES.points()}
    assert table == printed


def test_aliases() -> None:
    """
    Both spellings of a size give the same number of factors, except for K = 96, where only .blockN
    depends on K.
    """
    for kind, number, block in (
        ("mxf8f6f4", "scale_vec_1x", "block32"),
        ("mxf4", "scale_vec_2x", "block32"),
        ("mxf4nvf4", "scale_vec_2x", "block32"),
        ("mxf4nvf4", "scale_vec_4x", "block16"),
    ):
        for k in shapes.SHAPES.values("k", kind=kind):
            one, other = (
                scale.SCALE_SHAPES.value("factors", kind=kind, scale_vectorsize=size, k=k)
                for size in (number, block)
            )
            assert (one == other) == (k != shapes.K96)
    assert set(shapes.VECTOR_SIZES) == set(shapes.SCALE_VECTOR_SIZES.values("scale_vectorsize"))


def test_ids_by_the_type_of_the_scale_factors() -> None:
    """A type that scales only blocks of 16 has four factors for K = 64."""
    ids = {
        type_: scale.SCALE_FACTOR_IDS.values("id", kind="mxf4nvf4", scale=type_, k96=False)
        for type_ in ("ue4m3", "ue8m0")
    }
    assert ids == {"ue4m3": {0}, "ue8m0": {0, 2}}


def test_descriptors_hold_the_ids() -> None:
    for point in scale.SCALE_FACTOR_IDS.points():
        for name in ("sfa_id", "sfb_id"):
            assert descriptor_layout(point["kind"]).field(name).encode(point["id"]) == point["id"]
    for point in scale.IDS.points():
        # An MMA never starts in the middle of what a cell can hold of its factors.
        assert point["id"] % min(point["factors"] & -point["factors"], 4) == 0


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (("mxf8f6f4", None, 32, "ue8m0", 3, 1), []),
        (("mxf4", "block32", 96, "ue8m0", 3, 1), []),
        (("mxf4nvf4", "block16", 96, "ue4m3", 2, 0), []),
        (("mxf4nvf4", None, 64, "ue8m0", 0, 0), ["T5-SCALE-010"]),
        (("mxf4", "scale_vec_4x", 64, "ue8m0", 0, 0), ["T5-SCALE-010"]),
        (("mxf4", "block32", 32, "ue8m0", 0, 0), ["T5-SCALE-010"]),
        (("f16", None, 16, "ue8m0", 0, 0), ["T5-TYPE-002"]),
        (("mxf4nvf4", "block32", 64, "ue4m3", 0, 0), ["T5-SCALE-010"]),
        (("mxf4", "block32", 64, "ue4m3", 0, 0), ["T5-TYPE-003"]),
        (("mxf4nvf4", "block16", 64, "ue4m3", 2, 3), ["T5-SCALE-001"] * 2),
        (("mxf4nvf4", "block16", 96, "ue4m3", 2, 3), ["T5-SCALE-001"]),
        (("mxf4nvf4", "block32", 64, "ue4m3", 1, 0), ["T5-SCALE-010", "T5-SCALE-001"]),
    ],
)
def test_violations(
    arguments: tuple[str, str | None, int, str, int, int], rules: list[str]
) -> None:
    assert [violation.rule.id for violation in scale.violations(*arguments)] == rules


def test_messages_name_the_legal_ids() -> None:
    (violation,) = scale.violations("mxf4", "block32", 64, "ue8m0", 0, 1)
    assert re.search(
        r"^sfb_id with 2 scale factors must be 0 or 2; found 1 \[T5-SCALE-001\]", str(violation)
    )


@pytest.mark.parametrize(
    ("matrix", "columns"),
    [
        (ScaleFactors(128, 1), 4),
        (ScaleFactors(128, 4), 4),
        (ScaleFactors(8, 2), 4),
        (ScaleFactors(128, 6), 8),
        (ScaleFactors(136, 4), 8),
        (ScaleFactors(256, 6), 16),
        (ScaleFactors(256, 4, folds=2), 4),
    ],
)
def test_columns(matrix: ScaleFactors, columns: int) -> None:
    assert matrix.columns == columns
    positions = {
        (lane, position.column, position.byte)
        for row in range(matrix.rows)
        for factor in range(matrix.factors)
        for position in [matrix.position(row, factor)]
        for lane in position.lanes
    }
    assert len(positions) == matrix.rows * matrix.factors * 4 // matrix.folds
    assert max(column for _, column, _ in positions) == matrix.used_columns - 1 < columns
    shift = 2 if matrix.used_columns <= columns - 2 else 0
    assert not matrix.column_violations(512 - columns + shift)
    for column in (2 - shift // 2, 512 - columns + 4, -4):
        (violation,) = matrix.column_violations(column)
        assert violation.rule.id == "T5-SCALE-002"


@pytest.mark.parametrize("matrix", [ScaleFactors(128, 4), ScaleFactors(256, 12)])
def test_copies_bring_scale_factors_to_their_position(matrix: ScaleFactors) -> None:
    """tcgen05.cp.32x128b.warpx4 of each 512 bytes: row i of the source is bytes 16i to 16i+15."""
    for row in range(matrix.rows):
        for factor in range(matrix.factors):
            atom, inside = divmod(matrix.byte_offset(row, factor), scale.ATOM_BYTES)
            source, at = divmod(inside, 16)
            lanes = copies.destination_lanes("shape_32x128b", "warpx4", source)
            atom_row, group = divmod(atom, matrix.groups)
            column = group * matrix.group_columns + atom_row * scale.ATOM_COLUMNS + at // 4
            assert matrix.position(row, factor) == (lanes, column, at % 4)


def test_an_unknown_kind_has_no_size() -> None:
    with pytest.raises(Violation, match="T5-TYPE-002"):
        scale.SCALE_SHAPES.value("factors", kind="f16", scale_vectorsize=None, k=16)


@pytest.mark.parametrize(
    ("kind", "extents_k", "scale_type", "spellings"),
    [
        ("mxf8f6f4", (32,), "ue8m0", ("scale_vec_1x", "block32", None)),
        ("mxf4", (64,), "ue8m0", ("scale_vec_2x", "block32", None)),
        # .scale_vec::2X names the number itself; nothing and .block32 mean three for K = 96.
        ("mxf4", (96,), "ue8m0", ("block32", None)),
        ("mxf4", (64, 96), "ue8m0", ("block32", None)),
        ("mxf4nvf4", (64,), "ue4m3", ("scale_vec_4x", "block16")),
    ],
)
def test_spellings_of_what_is_left_out(
    kind: str, extents_k: tuple[int, ...], scale_type: str, spellings: tuple[str | None, ...]
):
    assert scale.spellings(kind, extents_k, (scale_type,)) == spellings


@pytest.mark.parametrize(("k", "scale_type"), [(64, "ue8m0"), (96, "ue8m0"), (96, "ue4m3")])
def test_what_may_not_be_left_out(k: int, scale_type: str):
    with pytest.raises(Violation, match=r"block16.*block32.*; found none .*T5-SCALE-010"):
        scale.spellings("mxf4nvf4", (k,), (scale_type,))
