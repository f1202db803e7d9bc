"""Tests of all matrix products of Table 39 as typed operations: they verify and lower."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.isa.element import ELEMENTS, container_bits
from tcgen05_dialect.isa.mma import scale, shapes, sparse
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.products import product_of
from tcgen05_dialect.isa.mma.shapes import DataPathLayout, data_path_layout
from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.shared_memory.descriptor import SWIZZLES
from tcgen05_dialect.isa.tensor_memory.alloc import LANES
from tcgen05_dialect.tcgen05.types import ELEMENT_TYPES

from ..support.effort import part

TYPES = {element.name: str(type_) for type_, element in ELEMENT_TYPES.items()}
SCALE_TYPES = {"ue8m0": "f8E8M0FNU", "ue4m3": "f8E4M3FN"}
_COLUMNS = ("kind", "ws", "cta_group", "sparse")
FORMS: list[dict[str, Any]] = [
    dict(zip(_COLUMNS, form, strict=True))
    for form in sorted(
        {tuple(point[name] for name in _COLUMNS) for point in shapes.SHAPES.points()}
    )
]
DENSE_SCALED = [
    form for form in FORMS if shapes.KINDS[form["kind"]].block_scaled and not form["sparse"]
]
FIRST_COLUMNS = {"d": 0, "a": 256, "metadata": 320, "scale_a": 384, "scale_b": 448}
"""The first columns of matrices in tensor memory; each has columns of its own."""
NAMES = {
    (ws, sparse_, scaled): f"tcgen05.mma{'.ws' * ws}{'.sp' * sparse_}{'.block_scale' * scaled}"
    for ws in BOOLEANS
    for sparse_ in BOOLEANS
    for scaled in BOOLEANS
}


def layout_text(layout: DataPathLayout) -> str:
    return "" if layout.rows == LANES else f", layout_{layout.name}"


def tile(kind: str, rows: int, k: int, element: str) -> str:
    """A K-major tile of one instruction's K."""
    bits = container_bits(ELEMENTS[element].bits, shapes.KINDS[kind].pads)
    packed = ", packed" if bits < 8 else ""
    width = k * bits // 8
    swizzle = next(
        (s for s in SWIZZLES.values() if s.width == width and s.chunk == 16), SWIZZLES["no_swizzle"]
    )
    return f"!tcgen05.smem_descriptor<{rows}x{k}x{TYPES[element]}, k_major, {swizzle.name}{packed}>"


def operands(
    point: Mapping[str, Any], k: int, spelling: str | None, a_memory: str
) -> dict[str, str]:
    """The types of the operands that a point of Table 39 asks for."""
    kind, ctas, m, n = (point[name] for name in ("kind", "cta_group", "m", "n"))
    layout = data_path_layout(m, ctas, point["sparse"], point["ws"])
    text, rows = layout_text(layout), m // ctas
    a_k = k // 2 if point["sparse"] else k
    types = {
        "d": f"!tcgen05.tmem<{rows}x{n}x{TYPES[point['d']]}{text}>",
        "a": tile(kind, rows, a_k, point["a"]),
        "b": tile(kind, n // ctas, k, point["b"]),
    }
    if a_memory == "tensor":
        is_packed = ELEMENTS[point["a"]].bits < 8 and not shapes.KINDS[kind].pads
        packed = ", packed" if is_packed else ""
        types["a"] = f"!tcgen05.tmem<{rows}x{a_k}x{TYPES[point['a']]}, a{text}{packed}>"
    if point["sparse"]:
        indices = sparse.metadata_columns(kind) * 8
        types["metadata"] = f"!tcgen05.tmem<{rows}x{indices}xi4, metadata{text}>"
    if point["scale"] is not None:
        factors = scale.SCALE_SHAPES.value("factors", kind=kind, scale_vectorsize=spelling, k=k)
        matrix = f"x{factors}x{SCALE_TYPES[point['scale']]}, scale"
        folded = text if layout.folds > 1 else ""
        types["scale_a"] = f"!tcgen05.tmem<{rows}{matrix}>"
        types["scale_b"] = f"!tcgen05.tmem<{n}{matrix}{folded}>"
    return types


def kernel(point: Mapping[str, Any], types: Mapping[str, str], k96: bool, spelling: str | None):
    """A kernel with one instruction."""
    idesc = InstructionDescriptor(
        *(point[name] for name in ("kind", "m", "n", "a", "b", "d")),
        sparse=point["sparse"],
        scale_type=point["scale"],
        k96=k96,
    )
    lines = [
        f"%{name} = tcgen05.descriptor %tile : {type_}"
        if "smem" in type_
        else f"%{name} = tcgen05.slice %all[0, {FIRST_COLUMNS[name]}] "
        f": !tcgen05.tmem<128x512xf32> to {type_}"
        for name, type_ in types.items()
    ]
    name = NAMES[point["ws"], point["sparse"], point["scale"] is not None]
    metadata = " metadata %metadata" * point["sparse"]
    scales = " scales %scale_a, %scale_b" if point["scale"] is not None else ""
    size = "" if spelling is None else f', scale_vectorsize = "{spelling}"'
    lines.append(
        f"{name} %d, %a, %b{metadata}{scales} accumulate %p {{idesc = #tcgen05.idesc<{idesc}>, "
        f"cta_group = {point['cta_group']} : i32{size}}} : {', '.join(types.values())}"
    )
    body = "\n".join(lines)
    return (
        "ptx.kernel @kernel(%slot : i32, %tile : i32) "
        f"attributes {{cluster_dims = array<i32: {point['cta_group']}>}} {{\n"
        "%p = arith.constant true\n"
        "%all = tcgen05.load_address %slot : !tcgen05.tmem<128x512xf32>\n"
        f"{body}\nptx.ret\n}}\n"
    )


class Case:
    """A legal instruction, as text."""

    def __init__(self, draw: st.DrawFn, forms: Sequence[Mapping[str, Any]]) -> None:
        form = draw(st.sampled_from(forms))
        rows = [row for row in shapes.SHAPES.rows if all(form[x] in row[x] for x in form)]
        row = draw(st.sampled_from(rows))
        self.point: dict[str, Any] = {
            name: draw(st.sampled_from(sorted(row[name], key=str))) for name in row
        }
        self.k = self.point["k"]
        point = self.point
        self.spelling: str | None = None
        if point["scale"] is not None:
            legal = [
                name
                for name in shapes.VECTOR_SIZES
                if not scale.violations(point["kind"], name, self.k, point["scale"], 0, 0)
            ]
            self.spelling = draw(st.sampled_from(sorted(legal, key=str)))
        self.a_memory = draw(st.sampled_from(("shared", "tensor")))
        self.types = operands(point, self.k, self.spelling, self.a_memory)

    def compile(self, types: Mapping[str, str] | None = None, target: str = "sm_100a") -> str:
        k96 = self.k == shapes.K96
        target = "sm_103a" if k96 else target
        text = kernel(self.point, types or self.types, k96, self.spelling)
        return compile_to_ptx(text, target=target, ptx_version="9.0")


@st.composite
def cases(draw: st.DrawFn, forms: Sequence[Mapping[str, Any]] = FORMS) -> Case:
    return Case(draw, forms)


def test_forms_are_those_of_all_kinds():
    assert {form["kind"] for form in FORMS} == set(shapes.KINDS)
    assert len(FORMS) == 36


@pytest.mark.slow
@settings(max_examples=part(250), deadline=None)
@given(cases())
def test_points_of_table_39_lower(case: Case):
    point, text = case.point, case.compile()
    qualifiers = {"cta_group": point["cta_group"], "kind": point["kind"]}
    if point["scale"] is not None:
        qualifiers["block_scale"] = True
        if case.spelling is not None:
            qualifiers["scale_vectorsize"] = case.spelling
    mnemonic = product_of(point["ws"], point["sparse"]).mnemonic.mnemonic(**qualifiers)
    assert f"\t{mnemonic}" in text
    if point["scale"] is not None and case.spelling is None:
        # Targets of architectures take an explicit spelling; it is printed.
        assert ".scale_vec" in text or ".block32" in text


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
@given(cases(DENSE_SCALED).filter(lambda case: case.k != shapes.K96))
def test_scale_vectorsize_is_spelled_as_the_target_takes_it(case: Case):
    if case.spelling is None or not case.spelling.startswith("scale_vec"):
        assert ".block_scale.block" in case.compile(target="sm_100f")
    else:
        with pytest.raises(CompileError, match=r"\[T5-TARGET-008\]"):
            case.compile(target="sm_100f")


def wrong_rows(type_: str) -> str:
    head, rest = type_.split("<")
    rows, rest = rest.split("x", 1)
    return f"{head}<{int(rows) // 2}x{rest}"


@pytest.mark.slow
@settings(max_examples=part(120), deadline=None)
@given(cases(), st.data())
def test_operands_with_half_of_the_rows_are_refused(case: Case, data: st.DataObject):
    name = data.draw(st.sampled_from(sorted(case.types)))
    rows = int(case.types[name].split("<")[1].split("x")[0])
    # Fewer rows than an atom of a tile are another error.
    assume("smem" not in case.types[name] or rows % 16 == 0)
    with pytest.raises(CompileError, match=r"\[T5-SHAPE-005\]"):
        case.compile({**case.types, name: wrong_rows(case.types[name])})
