"""Tests of `tcgen05.mma` against Table 39: legal points verify, neighbours do not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, DenseArrayBase, IntAttr, IntegerAttr, StringAttr, i1, i32
from xdsl.ir import Attribute, Block
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.isa.element import container_bits
from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.shapes import LAYOUTS, data_path_layout
from tcgen05_dialect.isa.shared_memory.layout import SWIZZLE_COMBINATIONS
from tcgen05_dialect.isa.tensor_memory.alloc import LANES
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma import MmaOp
from tcgen05_dialect.tcgen05.types import (
    ELEMENT_TYPES,
    InstructionDescriptorAttr,
    SharedMemoryDescriptorType,
    TensorMemoryType,
)

from ..support.effort import part

TYPES: Mapping[str, Attribute] = {element.name: type_ for type_, element in ELEMENT_TYPES.items()}
KINDS = tuple(name for name, kind in shapes.KINDS.items() if not kind.block_scaled)
POINTS = [
    point
    for point in shapes.SHAPES.points()
    if point["kind"] in KINDS and not point["ws"] and not point["sparse"]
]


@dataclass(frozen=True)
class Case:
    """What an operation is made of; the extents of the operands are those in one CTA."""

    idesc: InstructionDescriptor
    ctas: int
    a_memory: str
    a: Mapping[str, Any]
    b: Mapping[str, Any]
    d: Mapping[str, Any]

    def operation(self) -> MmaOp:
        a = shared(**self.a) if self.a_memory == "shared" else TensorMemoryType.get(**self.a)
        block = Block(arg_types=[TensorMemoryType.get(**self.d), a, shared(**self.b), i1])
        return MmaOp.create(
            operands=block.args,
            properties={
                "idesc": InstructionDescriptorAttr(self.idesc),
                "cta_group": IntegerAttr(self.ctas, i32),
                "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, 1, 1, 0, 0]),
            },
        )

    def broken(self) -> set[str]:
        """The ids of the rules that the operation breaks."""
        try:
            self.operation().verify()
        except VerifyException as error:
            text = str(error)
            return {part.split("]")[0] for part in text.split("[")[1:] if part.startswith("T5-")}
        return set()


def shared(
    mn: int, k: int, element: Attribute, transposed: bool, swizzle: str, k_origin: int = 0
) -> SharedMemoryDescriptorType:
    return SharedMemoryDescriptorType(
        IntAttr(mn),
        IntAttr(k),
        element,
        StringAttr("mn_major" if transposed else "k_major"),
        StringAttr(swizzle),
        StringAttr("k_first"),
        StringAttr("padded"),
        IntAttr(k_origin),
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A legal MMA: a point of Table 39 and operands that fit it."""
    point = draw(st.sampled_from(POINTS))
    ctas = point["cta_group"]
    a_memory = draw(st.sampled_from(("shared", "tensor")))
    transposed = {
        "a": a_memory == "shared" and draw(st.booleans()),
        "b": draw(st.booleans()),
    }
    idesc = InstructionDescriptor(
        point["kind"],
        *(point[name] for name in ("m", "n", "a", "b", "d")),
        transpose_a=transposed["a"],
        transpose_b=transposed["b"],
        negate_a=point["kind"] != "i8" and draw(st.booleans()),
        saturate=point["kind"] == "i8" and draw(st.booleans()),
    )
    assume(not idesc.violations(ws=False, cta_group=ctas, a_memory=a_memory))
    tiles: dict[str, dict[str, Any]] = {}
    for name, extent in (("a", point["m"] // ctas), ("b", point["n"] // ctas)):
        major = "mn_major" if transposed[name] else "k_major"
        bits = container_bits(ELEMENT_TYPES[TYPES[point[name]]].bits, pads=True)
        swizzles = SWIZZLE_COMBINATIONS.values("swizzle", bits=bits, major=major)
        tiles[name] = {
            "mn": extent,
            "k": point["k"] * draw(st.integers(1, 8)),
            "element": TYPES[point[name]],
            "transposed": transposed[name],
            "swizzle": draw(st.sampled_from(sorted(swizzles))),
        }
    layout = data_path_layout(point["m"], ctas, False, False)
    plain = layout.rows == LANES
    name = None if plain and draw(st.booleans()) else layout.name
    if a_memory == "tensor":
        tiles["a"] = {
            "rows": point["m"] // ctas,
            "columns": point["k"],
            "element": TYPES[point["a"]],
            "role": "a",
            "layout": name,
        }
    d = {
        "rows": point["m"] // ctas,
        "columns": point["n"],
        "element": TYPES[point["d"]],
        "layout": name,
    }
    return Case(idesc, ctas, a_memory, tiles["a"], tiles["b"], d)


@pytest.mark.slow
@settings(max_examples=part(300), deadline=None)
@given(cases())
def test_points_of_table_39_verify(case: Case):
    case.operation().verify()


def context() -> Context:
    made = Context()
    made.load_dialect(Builtin)
    made.load_dialect(TCGEN05)
    return made


@pytest.mark.slow
@settings(max_examples=part(200), deadline=None)
@given(cases())
def test_types_and_descriptors_survive_their_text(case: Case):
    op = case.operation()
    for attribute in (op.idesc, *(operand.type for operand in op.operands)):
        assert attribute is not None
        assert Parser(context(), str(attribute)).parse_attribute() == attribute


@pytest.mark.slow
@settings(max_examples=part(150), deadline=None)
@given(cases(), st.data())
def test_shapes_outside_table_39_are_refused(case: Case, data: st.DataObject):
    m = data.draw(st.integers(1, 32)) * 16
    n = data.draw(st.integers(0, 40)) * 8
    shape = {
        "kind": case.idesc.kind,
        "ws": False,
        "cta_group": case.ctas,
        "sparse": False,
        "d": case.idesc.d,
        "a": case.idesc.a,
        "b": case.idesc.b,
    }
    assume(shapes.SHAPES.row(**shape, m=m, n=n) is None)
    assert "T5-SHAPE-002" in replace(case, idesc=replace(case.idesc, m=m, n=n)).broken()


def other(value: Any, legal: list[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from([each for each in legal if each != value])


@pytest.mark.slow
@settings(max_examples=part(300), deadline=None)
@given(cases(), st.data())
def test_one_wrong_thing_is_refused(case: Case, data: st.DataObject):
    """Change one thing of an operand: exactly its rule is broken."""
    elements = list(ELEMENT_TYPES)
    name = data.draw(st.sampled_from(("a", "b", "d")))
    operand: Mapping[str, Any] = getattr(case, name)
    is_tile = "swizzle" in operand
    what = data.draw(st.sampled_from(("extent", "element", "k" if is_tile else "layout")))
    match what:
        case "extent":
            key = "mn" if is_tile else "rows"
            changed = {key: data.draw(other(operand[key], [8, 32, 64, 96, 128, 256]))}
            rule = "T5-SHAPE-005"
        case "element":
            changed = {"element": data.draw(other(operand["element"], elements))}
            rule = "T5-TYPE-004"
        case "k":
            k = case.idesc.k
            changed = {"k_origin": operand["k"] - k + data.draw(st.integers(1, k))}
            rule = "T5-DESC-013"
        case _:
            own = data_path_layout(case.idesc.m, case.ctas, False, False)
            legal = {own.name, None} if own.rows == LANES else {own.name}
            names: list[str | None] = [*LAYOUTS, None]
            wrong = [each for each in names if each not in legal]
            changed = {"layout": data.draw(st.sampled_from(wrong))}
            rule = "T5-TMEM-006"
    broken = replace(case, **{name: {**operand, **changed}}).broken()
    assert broken == {rule}


@pytest.mark.slow
@settings(max_examples=part(100), deadline=None)
@given(cases())
def test_roles_and_majors(case: Case):
    role = {**case.d, "role": "a"}
    assert "T5-TMEM-005" in replace(case, d=role).broken()
    assert (
        "T5-SWIZZLE-004"
        in replace(case, b={**case.b, "transposed": not case.b["transposed"]}).broken()
    )
    if case.a_memory == "tensor":
        assert "T5-TMEM-005" in replace(case, a={**case.a, "role": "accumulator"}).broken()
        assert "T5-IDESC-002" in replace(case, idesc=replace(case.idesc, transpose_a=True)).broken()
    else:
        flipped = {**case.a, "transposed": not case.a["transposed"]}
        assert "T5-SWIZZLE-004" in replace(case, a=flipped).broken()


@pytest.mark.slow
@settings(max_examples=part(100), deadline=None)
@given(cases())
def test_options_that_a_dense_mma_has_not(case: Case):
    broken = {
        "sparse": replace(case, idesc=replace(case.idesc, sparse=True)).broken(),
        "max_shift": replace(case, idesc=replace(case.idesc, max_shift=8)).broken(),
        "scale_type": replace(case, idesc=replace(case.idesc, scale_type="ue8m0")).broken(),
        "selector": replace(case, idesc=replace(case.idesc, sparsity_selector=2)).broken(),
        "cta_group": replace(case, ctas=3).broken(),
    }
    assert broken["sparse"] == {"T5-IDESC-010"}
    assert broken["max_shift"] == {"T5-IDESC-007"}
    assert broken["scale_type"] == {"T5-IDESC-005"}
    assert broken["selector"] == {"T5-IDESC-006"}
    assert broken["cta_group"] == {"T5-CTA_GROUP-001"}
