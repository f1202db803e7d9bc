"""Tests of the instruction descriptor: formats, messages, legality."""

import re
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor, descriptor_layout
from tcgen05_dialect.isa.model.rule import Violation

F16 = InstructionDescriptor("f16", 128, 256, "bf16", "bf16", "f32")
F8 = InstructionDescriptor("f8f6f4", 128, 128, "e4m3", "e5m2", "f32")
I8 = InstructionDescriptor("i8", 128, 128, "s8", "u8", "s32")
MXF8 = InstructionDescriptor("mxf8f6f4", 128, 64, "e4m3", "e2m1", "f32", scale_type="ue8m0")
MXF4 = InstructionDescriptor("mxf4", 256, 64, "e2m1", "e2m1", "f32", scale_type="ue8m0")


@pytest.mark.parametrize(
    ("descriptor", "value"),
    [
        # Shifted together by hand from Tables 42, 43 and 44.
        (F16, 1 << 4 | 1 << 7 | 1 << 10 | 32 << 17 | 8 << 24),
        (replace(F16, transpose_b=True, negate_a=True), 0x8400490 | 32 << 17 | 1 << 16 | 1 << 13),
        (replace(F8, sparse=True), 1 << 2 | 1 << 4 | 0 << 7 | 1 << 10 | 16 << 17 | 8 << 24),
        (replace(I8, saturate=True), 1 << 3 | 2 << 4 | 1 << 7 | 16 << 17 | 8 << 24),
        (replace(I8, m=32, max_shift=32), 2 << 4 | 1 << 7 | 16 << 17 | 2 << 24 | 3 << 30),
        (
            replace(MXF8, sfa_id=3, sfb_id=1),
            1 << 4 | 5 << 10 | 8 << 17 | 1 << 23 | 1 << 27 | 3 << 29,
        ),
        (replace(MXF4, k96=True), 1 << 7 | 1 << 10 | 8 << 17 | 1 << 23 | 2 << 27 | 1 << 31),
    ],
)
def test_encode(descriptor: InstructionDescriptor, value: int) -> None:
    assert descriptor.encode() == value
    assert InstructionDescriptor.decode(descriptor.kind, value) == descriptor


@st.composite
def descriptors(draw: st.DrawFn) -> InstructionDescriptor:
    """Any descriptor that has an encoding."""
    kind = draw(st.sampled_from(sorted(shapes.KINDS)))
    values: dict[str, Any] = {"d": "f32"} | {
        field.name: draw(st.sampled_from(sorted(field.legal, key=repr)))
        for field in descriptor_layout(kind).parameters
    }
    return InstructionDescriptor(kind=kind, **values)


@settings(deadline=None)
@given(descriptors())
def test_decode_inverts_encode(descriptor: InstructionDescriptor) -> None:
    value = descriptor.encode()
    assert 0 <= value < 1 << 32
    assert InstructionDescriptor.decode(descriptor.kind, value) == descriptor


def test_formats_are_those_of_the_manual() -> None:
    names = {kind: descriptor_layout(kind).name.split(",")[0] for kind in shapes.KINDS}
    assert names == {
        "f16": "Table 42",
        "tf32": "Table 42",
        "f8f6f4": "Table 42",
        "i8": "Table 42",
        "mxf8f6f4": "Table 43",
        "mxf4": "Table 44",
        "mxf4nvf4": "Table 44",
    }
    with pytest.raises(Violation, match=r"f16, .*; found f64 \[T5-TYPE-002\]"):
        descriptor_layout("f64")


def test_decode_names_every_wrong_field() -> None:
    with pytest.raises(Violation) as caught:
        InstructionDescriptor.decode("tf32", F16.encode() | 1 << 3 | 1 << 6 | 1 << 29)
    text = str(caught.value)
    assert "kind tf32 takes no saturate [T5-IDESC-004]" in text
    assert (
        "fixed bits of the instruction descriptor must be 0b0; found 0b1 [T5-IDESC-003] "
        "(PTX ISA 9.7.16.4.2)"
    ) in text
    found = "the code that means bf16, e5m2 or s8 in other kinds"
    assert f"kind tf32 needs A of type tf32; found {found} [T5-TYPE-003]" in text
    places = [re.search(r"\((.*) of the", part.help) for part in caught.value.parts]
    assert [place and place[1] for place in places] == [
        "saturate (bit 3)",
        "bit 6",
        "a (bits 7-9)",
        "b (bits 10-12)",
        "bit 29",
    ]


@pytest.mark.parametrize(
    ("descriptor", "text"),
    [
        (replace(F16, n=20), "kind f16 needs N 8, 16, ... 256; found 20 [T5-SHAPE-002]"),
        (replace(F16, saturate=True), "kind f16 takes no saturate [T5-IDESC-004]"),
        (replace(F16, k96=True), "kind f16 takes no k96 [T5-IDESC-005]"),
        (replace(F16, scale_type="ue8m0"), "; found ue8m0 [T5-IDESC-005]"),
        (replace(I8, negate_a=True), "kind i8 takes no negate_a [T5-IDESC-001]"),
        (replace(MXF4, d="f16"), "needs D of type f32; found f16 [T5-IDESC-005]"),
        (replace(MXF4, transpose_a=True), "takes no transpose_a [T5-IDESC-001]"),
        (replace(MXF4, scale_type="ue4m3"), "ue8m0; found ue4m3 [T5-TYPE-003]"),
        (replace(MXF8, m=64), "128 or 256; found 64 [T5-SHAPE-002]"),
        (replace(F16, max_shift=4), "0, 8, 16 or 32; found 4 [T5-IDESC-007]"),
    ],
)
def test_encode_refuses(descriptor: InstructionDescriptor, text: str) -> None:
    with pytest.raises(Violation) as caught:
        descriptor.encode()
    assert text in str(caught.value)
    with pytest.raises(Violation) as verified:
        descriptor.verify(ws=False, cta_group=1)
    assert [each.rule for each in verified.value.parts] == [
        each.rule for each in caught.value.parts
    ]


def test_str() -> None:
    assert str(F16) == "f16, bf16 x bf16 -> f32, 128x256"
    assert str(replace(F16, transpose_b=True, sparse=True, sparsity_selector=1)) == (
        "f16, bf16 x bf16 -> f32, 128x256, transpose_b, sparse, sparsity_selector 1"
    )
    assert str(MXF4) == "mxf4, e2m1 x e2m1 -> f32, 256x64, scale_type ue8m0"


def test_explain() -> None:
    readings = InstructionDescriptor.explain("f16", F16.encode())
    assert [r.bits for r in readings][:3] == ["0-1", "2", "3"]
    assert {r.field: r.meaning for r in readings}["n"] == "256"
    assert all(r.is_legal for r in readings)


FORM: dict[str, Any] = {"ws": False, "cta_group": 1}
LEGAL: list[tuple[InstructionDescriptor, dict[str, Any]]] = [
    (F16, {}),
    (replace(F16, m=256), {"cta_group": 2}),
    (replace(F16, sparse=True, sparsity_selector=3), {}),
    (replace(F16, transpose_a=True, transpose_b=True, negate_a=True, negate_b=True), {}),
    (replace(F16, max_shift=32), {"ws": True}),
    (F16, {"a_memory": "tensor"}),
    (replace(F16, transpose_b=True), {"a_memory": "tensor"}),
    (replace(F8, transpose_b=True, n=48), {}),
    (replace(F8, n=8), {}),
    (replace(F16, transpose_b=True, n=8), {}),
    (replace(I8, transpose_b=True, n=16), {}),
    (MXF8, {}),
    (replace(MXF8, sfa_id=3, sfb_id=1), {}),
    (replace(MXF4, sfa_id=2), {"cta_group": 2}),
    (replace(MXF4, k96=True, sfa_id=3), {"cta_group": 2}),
]


@pytest.mark.parametrize(("descriptor", "form"), LEGAL)
def test_verify_accepts(descriptor: InstructionDescriptor, form: dict[str, Any]) -> None:
    descriptor.verify(**FORM | form)


@pytest.mark.parametrize(
    ("descriptor", "form", "text"),
    [
        (F16, {"cta_group": 2, "ws": True}, "1; found 2 [T5-SHAPE-001]"),
        (replace(F16, m=256), {}, "64 or 128; found 256 [T5-SHAPE-002]"),
        (replace(F16, d="f16"), {}, "f16; found bf16 [T5-TYPE-003]"),
        (replace(F16, n=24), {"cta_group": 2}, "; found 24 [T5-SHAPE-002]"),
        (replace(F16, sparsity_selector=1), {}, "0; found 1 [T5-IDESC-006]"),
        (replace(F8, sparse=True, sparsity_selector=1), {}, "0; found 1 [T5-IDESC-006]"),
        (replace(F16, max_shift=8), {}, "0; found 8 [T5-IDESC-007]"),
        (
            replace(F16, transpose_a=True),
            {"a_memory": "tensor"},
            "A in tensor memory takes no transpose_a [T5-IDESC-002]",
        ),
        (replace(F8, transpose_b=True, n=8), {}, "; found 8 [T5-SHAPE-003]"),
        (
            replace(F8, transpose_b=True, n=48, m=256),
            {"cta_group": 2},
            "N 32, 64, 96, 128, 160, 192, 224 or 256; found 48 [T5-SHAPE-003]",
        ),
        (
            replace(F8, a="e2m1", transpose_a=True),
            {},
            "a tile of 4-bit elements needs k_major; found mn_major [T5-SWIZZLE-002]",
        ),
        (replace(MXF4, sfb_id=1), {"cta_group": 2}, "0 or 2; found 1 [T5-SCALE-001]"),
        (replace(MXF4, k96=True, m=128), {"cta_group": 2}, "64; found 96 [T5-SHAPE-002]"),
        (replace(MXF4, k96=True, sparse=True), {"cta_group": 2}, "128; found 96"),
        (replace(MXF8, m=256), {"ws": True}, "kind mxf8f6f4 takes no .ws [T5-SHAPE-001]"),
    ],
)
def test_verify_refuses(descriptor: InstructionDescriptor, form: dict[str, Any], text: str) -> None:
    with pytest.raises(Violation) as caught:
        descriptor.verify(**FORM | form)
    assert text in str(caught.value)
    assert len(caught.value.parts) == 1


@pytest.mark.parametrize("ws", [False, True])
@pytest.mark.parametrize("cta_group", [1, 2])
@pytest.mark.parametrize("wrong", [{"m": 96}, {"m": 32}, {"m": 16}, {"n": 250}, {"n": 512}])
def test_each_extent_that_a_message_names_is_legal(
    ws: bool, cta_group: int, wrong: dict[str, int]
) -> None:
    """Nobody tries an extent that a message has named and is refused again."""
    if (ws, cta_group) == (True, 2):
        return
    right = replace(F16, m=128 * cta_group)
    assert right.violations(ws, cta_group) == []
    for violation in replace(right, **wrong).violations(ws, cta_group):
        (name,) = wrong
        legal = cast("frozenset[int]", violation.legal)
        assert legal
        assert violation.culprit == "idesc"
        for extent in legal:
            assert replace(right, **{name: extent}).violations(ws, cta_group) == []


def test_verify_names_both_extents() -> None:
    parts = replace(F16, m=96, n=250).violations(ws=False, cta_group=1)
    assert [(part.found, part.rule.id) for part in parts] == [
        (96, "T5-SHAPE-002"),
        (250, "T5-SHAPE-002"),
    ]


def test_verify_names_everything() -> None:
    wrong = replace(F16, m=256, max_shift=8, sparsity_selector=2)
    rules = [violation.rule.id for violation in wrong.violations(ws=False, cta_group=1)]
    assert rules == ["T5-SHAPE-002", "T5-IDESC-006", "T5-IDESC-007"]


def test_k_and_features() -> None:
    assert (F16.k, replace(F16, sparse=True).k, F8.k, MXF4.k) == (16, 32, 32, 64)
    assert replace(MXF4, k96=True).k == 96
    assert replace(MXF4, k96=True).required_features() == ("base", "k96")
    assert I8.required_features() == ("kind_i8",)
