"""Tests of matrix products with wrong operands, and of collector buffers."""

from dataclasses import replace
from typing import Any

import pytest

from tcgen05_dialect.isa.model.rule import Violation

from ..support.mma_case import (
    A_COLUMN,
    D_COLUMN,
    META_COLUMN,
    SFA_COLUMN,
    SFB_COLUMN,
    Case,
    Point,
    f16,
    scaling,
)


def forget(case: Case, columns: slice, lanes: Any = slice(None)) -> None:
    for cta in case.ctas:
        cta.tensor.written[lanes, columns] = False


@pytest.mark.parametrize("what", ["d", "a", "metadata", "scale_a", "scale_b", "shared"])
def test_reads_what_no_one_wrote(what: str) -> None:
    scaled = next(scaling("mxf8f6f4", 64, "ue8m0"))
    point = {"m": 128, "n": 32, "k": 64, "sparse": True, "a_memory": "tensor"}
    case = Case("mxf8f6f4", a="e4m3", b="e4m3", **point, **scaled)
    case.place()
    columns = {"d": D_COLUMN, "a": A_COLUMN, "metadata": META_COLUMN}
    columns |= {"scale_a": SFA_COLUMN, "scale_b": SFB_COLUMN}
    if what == "shared":
        case.ctas[0].shared.written[case.tile_b.start + 16 - 1024] = False
    else:
        forget(case, slice(columns[what], columns[what] + 1), 77 if what != "scale_b" else 95)
    with pytest.raises(Violation, match="T5-SIM-013"):
        case.multiply()


def test_copies_of_scale_factors_differ() -> None:
    case = Case("mxf4", 128, 64, 64, "e2m1", "e2m1", **next(scaling("mxf4", 64, "ue8m0")))
    case.place()
    case.ctas[0].tensor.cells[40, SFB_COLUMN] ^= 0x01010101
    with pytest.raises(Violation, match="T5-SIM-020"):
        case.multiply()


def test_index_without_a_meaning() -> None:
    case = f16(sparse=True)
    case.indices[9, 5] = 0b0101
    case.place()
    with pytest.raises(Violation, match="T5-SPARSE-001"):
        case.multiply()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"idesc": {"m": 96}}, "T5-IDESC|T5-SHAPE"),
        ({"idesc": {"transpose_a": True, "a": "f16"}}, "T5-SWIZZLE-002"),
        ({"d": 480}, "T5-TMEM-001"),
        ({"d": 16 << 16}, "T5-TMEM-002"),
        ({"b": 0}, "T5-DESC-001"),
    ],
)
def test_what_is_wrong_with_operands(changes: Point, rule: str) -> None:
    case = f16(swizzle_a="swizzle_128b_atom_32b")
    product = case.product()
    for name, value in changes.items():
        if name == "idesc":
            product.idesc = replace(case.descriptor, **value)
        else:
            product.values = {**product.values, name: value}
    with pytest.raises(Violation, match=rule):
        product.issue()


def collecting(first: Case, *ops: str) -> None:
    """Products one after the other with the same operands."""
    first.place()
    for op in ops:
        first.collector = op
        first.__dict__.pop("form", None)
        first.multiply()


@pytest.mark.parametrize("ws", [False, True])
@pytest.mark.parametrize(
    "ops",
    [("fill", "use", "use", "lastuse"), ("discard",), ("fill", "fill", "lastuse", "fill")],
    ids=str,
)
def test_collector_holds_the_matrix(ops: tuple[str, ...], ws: bool) -> None:
    collecting(f16(ws=ws), *ops)


@pytest.mark.parametrize("cta_group", [1, 2])
@pytest.mark.parametrize(
    "ops", [("use",), ("lastuse",), ("fill", "lastuse", "use"), ("fill", "discard", "use")], ids=str
)
def test_collector_holds_nothing(ops: tuple[str, ...], cta_group: int) -> None:
    with pytest.raises(Violation, match="T5-SIM-021"):
        collecting(f16(cta_group=cta_group), *ops)


@pytest.mark.parametrize("ws", [False, True])
def test_collector_holds_another_matrix(ws: bool) -> None:
    case = f16(ws=ws, collector="fill")
    case.place()
    case.multiply()
    case.form = case.form._replace(collector_op="use")
    product = case.product()
    name = "b" if ws else "a"
    product.values = {**product.values, name: product.values[name] + 2}
    with pytest.raises(Violation, match="another matrix"):
        product.issue()


@pytest.mark.parametrize("ws", [False, True])
def test_matrix_is_changed_while_collected(ws: bool) -> None:
    case = f16(ws=ws, collector="fill")
    case.place()
    case.multiply()
    tile = case.tile_b if ws else case.tile_a
    case.ctas[0].shared.bytes[tile.start - 1024] ^= 1
    case.form = case.form._replace(collector_op="lastuse")
    with pytest.raises(Violation, match="changed since"):
        case.multiply()
