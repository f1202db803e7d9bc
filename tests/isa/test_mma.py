"""Tests of kinds, shapes and operands of tcgen05.mma."""

from typing import Any

import pytest

from tcgen05_dialect.isa.element import element
from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.model.rule import Violation


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"kind": "f64"}, "; found f64"),
        ({"ws": True, "cta_group": 2}, "; found 2"),
        (
            {"d": "f16", "a": "bf16"},
            "kind f16 with D of type f16 needs A of type f16; found bf16 [T5-TYPE-003]",
        ),
        ({"m": 256}, "64 or 128; found 256 [T5-SHAPE-002] (PTX ISA 9.7.16.2.1)"),
        ({"n": 20}, "8, 16, ... 256; found 20 [T5-SHAPE-002]"),
        ({"k": 32}, "16; found 32 [T5-SHAPE-002]"),
        ({"scale": "ue8m0"}, "; found ue8m0 [T5-TYPE-003]"),
    ],
)
def test_table_39_messages(change: dict[str, Any], text: str) -> None:
    point = dict(
        zip(
            shapes.SHAPES.columns,
            ("f16", False, 1, False, "f32", "bf16", "bf16", None, 128, 128, 16),
            strict=True,
        )
    )
    shapes.SHAPES.check(**point)
    with pytest.raises(Violation) as caught:
        shapes.SHAPES.check(**point | change)
    assert text in str(caught.value)


def test_instruction_k() -> None:
    for kind in shapes.KINDS:
        for name in shapes.SHAPES.values("a", kind=kind):
            bits = element(name).bits
            assert shapes.instruction_k_bytes(kind, bits, sparse=False) == 32
            assert shapes.instruction_k_bytes(kind, bits, sparse=True) == 64
    assert shapes.instruction_k("f16", False) == 16
    assert shapes.instruction_k("mxf4", False) == 64
    assert shapes.instruction_k("mxf4", False, k96=True) == 96
    assert shapes.instruction_k_bytes("mxf4nvf4", 4, sparse=False, k96=True) == 48
    for kind, sparse in (("f16", False), ("mxf8f6f4", False), ("mxf4", True)):
        with pytest.raises(Violation, match="found 96"):
            shapes.instruction_k(kind, sparse, k96=True)
    with pytest.raises(Violation, match="found f64"):
        shapes.instruction_k("f64", False)


def test_disable_output_lane_elements() -> None:
    assert shapes.disable_output_lane_elements(1) == 4
    assert shapes.disable_output_lane_elements(2) == 8
    with pytest.raises(Violation):
        shapes.disable_output_lane_elements(4)


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
            shapes.TRANSPOSE_NEGATE.values("transpose", kind=kind),
            shapes.TRANSPOSE_NEGATE.values("negate", kind=kind),
        )
        for kind in shapes.KINDS
    }
    assert shapes.TRANSPOSED_B_8BIT.values("n", cta_group=1) == {16 * i for i in range(1, 17)}
    assert shapes.TRANSPOSED_B_8BIT.values("n", cta_group=2) == {32 * i for i in range(1, 9)}


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
    assert (shapes.ASHIFT.row(**default | point) is not None) == legal


def test_collector() -> None:
    for ws, (buffer, op) in shapes.DEFAULT_COLLECTOR.items():
        shapes.COLLECTOR.check(ws=ws, collector_buffer=buffer, collector_op=op)
    with pytest.raises(Violation, match=r"a; found b1 \[T5-COLLECTOR-001\]"):
        shapes.COLLECTOR.check(ws=False, collector_buffer="b1", collector_op="fill")
    with pytest.raises(Violation, match="b0, b1, b2 or b3; found a"):
        shapes.COLLECTOR.check(ws=True, collector_buffer="a", collector_op="fill")


def test_optional_operands() -> None:
    def legal(ws: bool, **operands: bool) -> set[str]:
        none = dict.fromkeys(shapes.OPERANDS.columns[2:], False)
        return {
            kind
            for kind in shapes.KINDS
            if shapes.OPERANDS.row(kind=kind, ws=ws, **none | operands) is not None
        }

    plain = {kind.name for kind in shapes.KINDS.values() if not kind.block_scaled}
    scaled = set(shapes.KINDS) - plain
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
    assert shapes.required_features("f16", sparse=False) == ("base",)
    assert shapes.required_features("i8", sparse=True) == ("kind_i8", "base")
    assert shapes.required_features("mxf4nvf4", True) == ("kind_mxf4nvf4", "sparse_mxf4")
    assert shapes.required_features("mxf4", False, k96=True) == ("base", "k96")
    assert shapes.required_features("tf32", False, scale_input_d=True) == ("base", "scale_input_d")


def taken_by_cutlass(
    kind: str, sparse: bool, a_memory: str, cta_group: int, m: int, n: int
) -> bool:
    """What the structs SM100_MMA_*_TS assert of N; other structs take what the manual has."""
    if sparse or a_memory == "shared" or kind not in ("f16", "tf32", "f8f6f4"):
        return True
    return n % {(1, 64): 8, (1, 128): 16, (2, 128): 32, (2, 256): 32}[cta_group, m] == 0


@pytest.mark.slow
def test_warnings_are_the_shapes_that_cutlass_refuses() -> None:
    count = 0
    for point in shapes.SHAPES.points():
        if point["ws"]:
            continue
        fields = {name: point[name] for name in ("kind", "m", "n", "a", "b", "d", "sparse")}
        k96, cta_group = point["k"] == shapes.K96, point["cta_group"]
        idesc = InstructionDescriptor(**fields, scale_type=point["scale"], k96=k96)
        for a_memory in ("shared", "tensor"):
            form = {name: point[name] for name in ("kind", "sparse", "cta_group", "m", "n")}
            found = [each.rule.id for each in idesc.warnings(False, cta_group, a_memory)]
            taken = taken_by_cutlass(**form, a_memory=a_memory)
            assert found == ([] if taken else ["T5-SHAPE-007"])
            count += not taken
    assert count > 100


def test_shapes_of_cutlass_are_warnings() -> None:
    for point in shapes.SHAPES_OF_CUTLASS.points():
        assert shapes.SHAPES.row(**point) is None
        fields = {name: point[name] for name in ("kind", "m", "n", "a", "b", "d")}
        idesc = InstructionDescriptor(**fields, scale_type=point["scale"], k96=True)
        form = False, point["cta_group"], "shared"
        assert idesc.violations(*form) == []
        (warning,) = idesc.warnings(*form)
        assert warning.rule.severity == "warning"
        assert "needs K 64; found 96; CUTLASS uses this shape" in warning.text
