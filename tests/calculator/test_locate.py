"""Tests of the maps between elements and places, for every matrix of an MMA."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.calculator import Placement, QuestionError
from tcgen05_dialect.calculator.access import (
    Matrix,
    RegisterPlace,
    SharedPlace,
    TensorPlace,
    check_access,
    held_in_register,
    parse_access,
)
from tcgen05_dialect.calculator.locate import (
    Calculation,
    calculation,
    elements_in_byte,
    elements_in_cell,
    locate,
)
from tcgen05_dialect.calculator.multiplication import Multiplication, multiplication
from tcgen05_dialect.calculator.operands import OPERANDS, operand_matrix
from tcgen05_dialect.isa.mma.shapes import DATA_PATH_LAYOUTS, KINDS, SCALE_VECTOR_SIZES
from tcgen05_dialect.isa.mma.shapes import SHAPES as MMA_SHAPES
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.shared_memory.layout import ATOM_ORDERS, ATOMS, SWIZZLE_COMBINATIONS
from tcgen05_dialect.isa.tensor_memory.ld_st import REGISTERS, SHAPES

from ..support.effort import part, sampled

COVERS = [
    f"{SHAPES[point['shape']].ptx}.{point['num']}"
    for point in REGISTERS.points()
    if point["num"] in ("x1", "x2", "x16")
]


def check_inverses(found: Matrix, row: int, column: int, through: str | None = None) -> None:
    """`element` inverts `locate`: each place of an element holds that element only."""
    located = locate(found, row, column)
    assert located
    for each in located:
        place = each.place
        assert (each.element.row, each.element.column) == (row, column)
        if isinstance(place, TensorPlace):
            held = elements_in_cell(found, place.cta, place.lane, place.column)
        else:
            assert isinstance(place, SharedPlace)
            held = elements_in_byte(found, place.cta, place.byte)
            assert each in elements_in_byte(found, place.cta, place.unswizzled, swizzled=False)
        assert each in held
        bits = [other.place.bit + at for other in held for at in range(other.place.bits)]
        if found.bits != 6:
            assert len(set(bits)) == len(bits)
    if through is None:
        return
    cover = parse_access(through)
    for each in locate(found, row, column, cover):
        place = each.place
        assert isinstance(place, RegisterPlace)
        cta, warp, thread, register = place[:4]
        access = place.access_lane, place.access_column
        assert each in list(held_in_register(found, cover, cta, warp, thread, register, *access))


@pytest.mark.slow
@pytest.mark.parametrize("point", sampled(DATA_PATH_LAYOUTS.points(), 2), ids=str)
def test_every_element_in_tensor_memory(point: dict[str, Any]) -> None:
    """One shape of each data path layout, at each lane at which it may begin."""
    options = {each: point[each] for each in ("m", "cta_group", "ws", "sparse")}
    mma = multiplication("f16", n=64, **options)
    for lane, name in product(mma.layout.alignments, ("D", "A", "metadata")):
        if name == "metadata" and not mma.sparse:
            continue
        found = operand_matrix(mma, name, Placement("tensor", address=lane << 16 | 32))
        for row, column in product(range(found.rows), range(found.columns)):
            check_inverses(found, row, column, "16x64b.x2" if column % 8 == 0 else None)


SHARED = [
    {"bits": point["bits"], "major": point["major"], "swizzle": point["swizzle"]}
    for point in SWIZZLE_COMBINATIONS.points()
    if ATOMS.row(major=point["major"], swizzle=point["swizzle"]) is not None
]
TYPES = {4: "e2m1", 6: "e3m2", 8: "e5m2", 16: "bf16", 32: "tf32"}


@pytest.mark.slow
@pytest.mark.parametrize("point", sampled(SHARED, 3), ids=str)
def test_every_element_in_shared_memory(point: dict[str, Any]) -> None:
    """
    A tile of each swizzle mode, majorness and size of elements; those of 4 bits are padded and
    packed.
    """
    bits, major = point["bits"], point["major"]
    names = {4: ("f8f6f4", "mxf4"), 16: ("f16",), 32: ("tf32",)}.get(bits, ("f8f6f4",))
    for kind in names:
        n = 128 if major == "mn_major" else 16
        mma = multiplication(kind, b=TYPES[bits], n=n)
        found = operand_matrix(mma, "B", Placement(None, major, point["swizzle"], address=2048))
        for k, n in product(range(found.rows), range(found.columns)):
            check_inverses(found, k, n)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("point", "memory", "name"),
    sampled(product(SCALE_VECTOR_SIZES.points(), ("tensor", "shared"), ("SFA", "SFB")), 4),
    ids=str,
)
def test_every_scale_factor(point: dict[str, Any], memory: str, name: str) -> None:
    for m, cta_group in ((128, 1), (128, 2)):
        size = point["scale_vectorsize"]
        mma = multiplication(
            point["kind"], m=m, n=96, cta_group=cta_group, scale_vectorsize=size, k=128
        )
        found = operand_matrix(mma, name, Placement(memory))
        for row, column in product(range(found.rows), range(found.columns)):
            check_inverses(found, row, column)


@st.composite
def multiplications(draw: st.DrawFn) -> Multiplication:
    """Any MMA of Table 39."""
    row = draw(st.sampled_from(MMA_SHAPES.rows))
    point: dict[str, Any] = {
        name: draw(st.sampled_from(sorted(row[name], key=str)))
        for name in ("kind", "ws", "cta_group", "sparse", "d", "a", "b", "m", "n")
    }
    sizes = SCALE_VECTOR_SIZES.values("scale_vectorsize", kind=point["kind"])
    size = draw(st.sampled_from(sorted(sizes, key=str))) if sizes else None
    return multiplication(**point, scale_vectorsize=size)


@settings(deadline=None, max_examples=part(200))
@given(multiplications(), st.data())
def test_any_element_of_any_matrix(mma: Multiplication, data: st.DataObject) -> None:
    names = set(OPERANDS) - (set() if mma.sparse else {"metadata"})
    names -= set() if KINDS[mma.kind].block_scaled else {"SFA", "SFB"}
    name = data.draw(st.sampled_from(sorted(names)))
    memory = data.draw(st.sampled_from(sorted(OPERANDS[name])))
    point = data.draw(st.sampled_from(SHARED))
    order = data.draw(st.sampled_from(ATOM_ORDERS))
    try:
        found = operand_matrix(
            mma, name, Placement(memory, point["major"], point["swizzle"], order)
        )
    except Violation as violation:
        assert memory == "shared" and name in "AB"
        assert {part.rule.id for part in violation.parts} <= {
            "T5-SWIZZLE-002",
            "T5-SWIZZLE-003",
            "T5-DESC-007",
        }
        return
    row = data.draw(st.integers(0, found.rows - 1))
    column = data.draw(st.integers(0, found.columns - 1))
    through = data.draw(st.sampled_from(COVERS)) if memory == "tensor" else None
    if through is not None:
        check_access(found, parse_access(through))
    check_inverses(found, row, column, through)


def elements(found: Calculation, name: str) -> list[list[tuple[int, int]]]:
    """Row and column of the element of each product."""
    return [
        list(dict.fromkeys((each.element.row, each.element.column) for each in terms[name]))
        for terms in found.products
    ]


def test_output_calculation() -> None:
    mma = multiplication("mxf4nvf4", m=256, n=64, cta_group=2, scale_vectorsize="block16")
    found = calculation(mma, 200, 40, {})
    assert elements(found, "A") == [[(200, k)] for k in range(64)]
    assert elements(found, "B") == [[(k, 40)] for k in range(64)]
    assert elements(found, "SFA") == [[(200, k // 16)] for k in range(64)]
    assert elements(found, "SFB") == [[(k // 16, 40)] for k in range(64)]
    assert found.result[0].place.cta == 1
    # A from its own CTA, B from the one that has the column.
    assert {each.place.cta for terms in found.products for each in terms["A"]} == {1}
    assert {each.place.cta for terms in found.products for each in terms["B"]} == {1}


@pytest.mark.parametrize(("kind", "chunk"), [("tf32", 2), ("f16", 4), ("mxf4", 8)])
def test_output_calculation_of_a_sparse_matrix(kind: str, chunk: int) -> None:
    """Each stored element of A has a product; the metadata choose the element of B in its chunk."""
    mma = multiplication(kind, n=64, sparse=True)
    found = calculation(mma, 20, 40, {}, parse_access("32x32b.x8"))
    extent = mma.instruction_k
    assert elements(found, "A") == [[(20, stored)] for stored in range(extent // 2)]
    chunks = [2 * stored // chunk for stored in range(extent // 2)]
    assert elements(found, "metadata") == [[(20, at)] for at in chunks]
    assert elements(found, "B") == [
        [(at * chunk + inside, 40) for inside in range(chunk)] for at in chunks
    ]
    assert len(found.grid().rows) == extent // 2


@pytest.mark.parametrize(
    ("text", "split", "message"),
    [
        ("32x32b", None, "access must be SHAPE.NUM .*; found 32x32b"),
        ("32x33b.x1", None, "SHAPE one of 16x64b"),
        ("32x32b.x3", None, "T5-LDST-001"),
        ("16x256b.x64", None, "T5-LDST-001"),
        ("16x32bx2.x8", 12, "split offset must be multiples of 8, the columns; found 12"),
        ("16x32bx2.x8", 0, "; found 0"),
        ("32x32b.x8", 8, "T5-LDST-003"),
    ],
)
def test_accesses_that_do_not_exist(text: str, split: int | None, message: str) -> None:
    with pytest.raises((QuestionError, Violation), match=message):
        parse_access(text, split)
