"""Kinds, shapes and operands of tcgen05.mma."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa import mma
from tcgen05_dialect.isa.element import element
from tcgen05_dialect.isa.rule import Violation

Point = tuple[Any, ...]
F8 = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")


def types(kind: str) -> Iterator[tuple[str, str, str, str | None]]:
    """(d, a, b, scale) that a kind multiplies."""
    if kind == "f16":
        yield "f16", "f16", "f16", None
        yield from (("f32", a, b, None) for a in ("f16", "bf16") for b in ("f16", "bf16"))
    elif kind == "tf32":
        yield "f32", "tf32", "tf32", None
    elif kind == "f8f6f4":
        yield from ((d, a, b, None) for d in ("f16", "f32") for a in F8 for b in F8)
    elif kind == "i8":
        yield from (("s32", a, b, None) for a in ("u8", "s8") for b in ("u8", "s8"))
    elif kind == "mxf8f6f4":
        yield from (("f32", a, b, "ue8m0") for a in F8 for b in F8)
    else:
        yield "f32", "e2m1", "e2m1", "ue8m0"
        if kind == "mxf4nvf4":
            yield "f32", "e2m1", "e2m1", "ue4m3"


def extents(kind: str, ws: bool, cta_group: int, sparse: bool) -> Iterator[tuple[int, int]]:
    """(m, n) that a kind has, said in words: a second statement of Table 39."""
    if ws:
        # Weight stationary: one CTA, no block scaling, three sizes; the widest is dense only.
        if cta_group == 1 and not kind.startswith("mx"):
            for n in (64, 128) if sparse else (64, 128, 256):
                yield from ((m, n) for m in (32, 64, 128))
        return
    # The smaller M goes to waste with block scaling in one CTA, and with it sparse in two.
    for m in (64 * cta_group, 128 * cta_group):
        if kind.startswith("mx") and (m == 64 or (sparse and m == 128 and cta_group == 2)):
            continue
        # N steps by 8 for each CTA; for integers twice as far, beyond 32 where it is one CTA.
        for n in range(8 * cta_group, 257, 8 * cta_group):
            if kind != "i8" or n % (16 * cta_group) == 0 or (cta_group == 1 and n < 32):
                yield m, n


def depths(kind: str, cta_group: int, sparse: bool, m: int) -> Iterator[int]:
    """K: 32 bytes of the smallest elements that are not padded; twice that when half are zeros."""
    bits = {"f16": 16, "tf32": 32, "mxf4": 4, "mxf4nvf4": 4}.get(kind, 8)
    yield 256 // bits * (2 if sparse else 1)
    if bits == 4 and not sparse and cta_group == 2 and m == 256:
        yield 96


def second_statement() -> Iterator[Point]:
    for kind in ("f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"):
        for ws in (False, True):
            for cta_group in (1, 2):
                for sparse in (False, True):
                    for m, n in extents(kind, ws, cta_group, sparse):
                        for k in depths(kind, cta_group, sparse, m):
                            for d, a, b, scale in types(kind):
                                yield kind, ws, cta_group, sparse, d, a, b, scale, m, n, k


LEGAL = frozenset(second_statement())
COLUMNS = ("kind", "ws", "cta_group", "sparse", "d", "a", "b", "scale", "m", "n", "k")
DOMAINS = {
    column: sorted({point[i] for point in LEGAL}, key=repr) for i, column in enumerate(COLUMNS)
}


def test_table_39_is_its_second_statement() -> None:
    assert mma.SHAPES.columns == COLUMNS
    table = frozenset(tuple(point.values()) for point in mma.SHAPES.points())
    assert table == LEGAL


@settings(deadline=None)
@given(point=st.sampled_from(sorted(LEGAL, key=repr)), data=st.data())
def test_table_39_refuses_neighbours(point: Point, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from(COLUMNS))
    value = data.draw(st.sampled_from([*DOMAINS[column], 0, 264, "f64"]))
    neighbour = dict(zip(COLUMNS, point, strict=True)) | {column: value}
    assert (mma.SHAPES.row(**neighbour) is not None) == (tuple(neighbour.values()) in LEGAL)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"kind": "f64"}, "Table 39, kind: found f64; legal: f16, f8f6f4, i8, "),
        ({"ws": True, "cta_group": 2}, "cta_group with kind f16, ws true: found 2; legal: 1 "),
        ({"d": "f16", "a": "bf16"}, "d f16: found bf16; legal: f16 [T5-TYPE-003]"),
        ({"m": 256}, "found 256; legal: 64, 128 [T5-SHAPE-002] (PTX ISA 9.7.16.2.1)"),
        ({"n": 20}, "found 20; legal: 8, 16, ... 256 [T5-SHAPE-002]"),
        ({"k": 32}, "found 32; legal: 16 [T5-SHAPE-002]"),
        ({"scale": "ue8m0"}, "found ue8m0; legal: none [T5-TYPE-003]"),
    ],
)
def test_table_39_messages(change: dict[str, Any], text: str) -> None:
    point = dict(
        zip(
            COLUMNS,
            ("f16", False, 1, False, "f32", "bf16", "bf16", None, 128, 128, 16),
            strict=True,
        )
    )
    mma.SHAPES.check(**point)
    with pytest.raises(Violation) as caught:
        mma.SHAPES.check(**point | change)
    assert text in str(caught.value)


def test_instruction_k() -> None:
    for kind in mma.KINDS:
        for name in mma.SHAPES.values("a", kind=kind):
            bits = element(name).bits
            assert mma.instruction_k_bytes(kind, bits, sparse=False) == 32
            assert mma.instruction_k_bytes(kind, bits, sparse=True) == 64
    assert mma.instruction_k("f16", False) == 16
    assert mma.instruction_k("mxf4", False) == 64
    assert mma.instruction_k("mxf4", False, k96=True) == 96
    assert mma.instruction_k_bytes("mxf4nvf4", 4, sparse=False, k96=True) == 48
    for kind, sparse in (("f16", False), ("mxf8f6f4", False), ("mxf4", True)):
        with pytest.raises(Violation, match="found 96"):
            mma.instruction_k(kind, sparse, k96=True)
    with pytest.raises(Violation, match="found f64"):
        mma.instruction_k("f64", False)


def test_disable_output_lane_elements() -> None:
    assert mma.disable_output_lane_elements(1) == 4
    assert mma.disable_output_lane_elements(2) == 8
    with pytest.raises(Violation):
        mma.disable_output_lane_elements(4)


def test_tables_49_and_50_as_printed() -> None:
    yes, no = {False, True}, {False}
    printed = {
        "tf32": (yes, yes),
        "f16": (yes, yes),
        "f8f6f4": (yes, yes),
        "mxf8f6f4": (yes, yes),
        "i8": (yes, no),
        "mxf4": (no, yes),
        "mxf4nvf4": (no, yes),
    }
    assert printed == {
        kind: (
            mma.TRANSPOSE_NEGATE.values("transpose", kind=kind),
            mma.TRANSPOSE_NEGATE.values("negate", kind=kind),
        )
        for kind in mma.KINDS
    }
    assert mma.TRANSPOSED_B_8BIT.values("n", cta_group=1) == {16 * i for i in range(1, 17)}
    assert mma.TRANSPOSED_B_8BIT.values("n", cta_group=2) == {32 * i for i in range(1, 9)}


@pytest.mark.parametrize(
    ("point", "legal"),
    [
        ({}, True),
        ({"collector_op": "discard", "m": 256}, True),
        ({"collector_op": "use"}, False),
        ({"collector_op": "fill"}, False),
        ({"m": 64}, False),
        ({"a_memory": "shared"}, False),
        ({"kind": "mxf4"}, False),
        ({"ws": True}, False),
    ],
)
def test_ashift(point: dict[str, Any], legal: bool) -> None:
    default = {
        "kind": "f16",
        "ws": False,
        "a_memory": "tensor",
        "m": 128,
        "collector_op": "lastuse",
    }
    assert (mma.ASHIFT.row(**default | point) is not None) == legal


def test_collector() -> None:
    for ws, (buffer, op) in mma.DEFAULT_COLLECTOR.items():
        mma.COLLECTOR.check(ws=ws, buffer=buffer, op=op)
    with pytest.raises(Violation, match=r"found b1; legal: a \[T5-COLLECTOR-001\]"):
        mma.COLLECTOR.check(ws=False, buffer="b1", op="fill")
    with pytest.raises(Violation, match="found a; legal: b0, b1, b2, b3"):
        mma.COLLECTOR.check(ws=True, buffer="a", op="fill")


def test_optional_operands() -> None:
    def legal(ws: bool, **operands: bool) -> set[str]:
        none = dict.fromkeys(mma.OPERANDS.columns[2:], False)
        return {
            kind
            for kind in mma.KINDS
            if mma.OPERANDS.row(kind=kind, ws=ws, **none | operands) is not None
        }

    plain = {kind.name for kind in mma.KINDS.values() if not kind.block_scaled}
    scaled = set(mma.KINDS) - plain
    assert scaled == {"mxf8f6f4", "mxf4", "mxf4nvf4"}
    assert legal(False) == legal(True) == plain
    assert legal(False, scale_factors=True) == scaled
    assert legal(True, scale_factors=True) == set()
    assert legal(False, scale_factors=True, disable_output_lane=True) == set()
    assert legal(False, disable_output_lane=True) == plain
    assert legal(True, disable_output_lane=True) == set()
    assert legal(False, scale_input_d=True, disable_output_lane=True) == {"f16", "tf32"}
    assert legal(True, scale_input_d=True) == set()
    assert legal(True, zero_column_mask=True) == plain
    assert legal(False, zero_column_mask=True) == set()


def test_required_features() -> None:
    assert mma.required_features("f16", sparse=False) == ("base",)
    assert mma.required_features("i8", sparse=True) == ("kind_i8", "base")
    assert mma.required_features("mxf4nvf4", True) == ("kind_mxf4nvf4", "sparse_mxf4")
    assert mma.required_features("mxf4", False, k96=True) == ("base", "k96")
    assert mma.required_features("tf32", False, scale_input_d=True) == ("base", "scale_input_d")
