"""Tests of the catalogue, the details of one MMA, and plans of tensor memory."""

import importlib
import json
import pkgutil
from itertools import product
from typing import Any

import pytest

from tcgen05_dialect import isa
from tcgen05_dialect.calculator import QuestionError
from tcgen05_dialect.calculator.detail import detail
from tcgen05_dialect.calculator.multiplication import INSTRUCTIONS, catalogue, multiplication
from tcgen05_dialect.calculator.tensor_memory_plan import PlannedMatrix, answer, picture, plan
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.shapes import KINDS, SHAPES
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.model.table import Mnemonic
from tcgen05_dialect.isa.targets import TARGETS

from ..support.golden_rows import flag
from ..support.golden_tables import golden

Json = dict[str, Any]


def test_all_instructions() -> None:
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(isa.__path__, f"{isa.__name__}.")
    ]
    things = [thing for module in modules for thing in vars(module).values()]
    found = {thing.template for thing in things if isinstance(thing, Mnemonic)}
    found |= {each.template for each in INSTRUCTIONS}
    assert sorted(found) == sorted(each.template for each in INSTRUCTIONS)


@pytest.mark.parametrize("target", TARGETS)
def test_kinds_of_a_target(target: str) -> None:
    """The first versions are those of the golden table, for plain forms of each kind."""
    found = json.loads(catalogue(target).json())
    listed = {
        (each["kind"], each["mma"].removeprefix("tcgen05.")): each[target]
        for each in found["kinds_of_mma"]
    }
    assembled: dict[tuple[str, str], list[str]] = {}
    for row in golden("forms"):
        attributes = row["attrs"]
        if row["group"].startswith("mma") and not flag(attributes, "scale_input_d"):
            versions = row["min_ptx_by_target"]
            if target in versions:
                key = attributes["kind"], row["group"]
                assembled.setdefault(key, []).append(versions[target])
    assert listed == {key: min(versions) for key, versions in assembled.items()}


def test_all_targets_are_columns() -> None:
    first = json.loads(catalogue().json())["kinds_of_mma"][0]
    assert list(first) == ["kind", "mma", *TARGETS]
    with pytest.raises(Violation, match="sm_100a"):
        catalogue("sm_90")


def forms() -> list[Json]:
    """A point of Table 39 for each legal combination of kind, .ws, cta_group and sparsity."""
    return [
        {"kind": kind, "ws": ws, "cta_group": cta_group, "sparse": sparse}
        for kind, ws, cta_group, sparse in product(KINDS, (False, True), (1, 2), (False, True))
        if SHAPES.row(kind=kind, ws=ws, cta_group=cta_group, sparse=sparse) is not None
    ]


@pytest.mark.parametrize("form", forms(), ids=str)
def test_details(form: Json) -> None:
    mma = multiplication(**form)
    found = json.loads(detail(mma).json())
    decoded = InstructionDescriptor.decode(form["kind"], found["instruction_descriptor"])
    assert (decoded.m, decoded.n, decoded.k) == (mma.m, mma.n, found["k"])
    assert not decoded.violations(form["ws"], form["cta_group"])
    part = found["k"] // (2 if form["sparse"] else 1)
    assert found["multiply_adds"] == mma.m * mma.n * part
    operands = {each["operand"]: each for each in found["operands"]}
    assert operands.keys() >= {"D", "A", "or A", "B"}
    assert ("metadata" in operands) == form["sparse"]
    assert ("SFA" in operands) == form["kind"].startswith("mx")
    legal = {each["field"]: each["legal"] for each in found["fields_of_the_instruction_descriptor"]}
    assert legal["sparse"] == [form["sparse"]]
    assert legal["n"] == sorted(SHAPES.values("n", **form, m=mma.m, a=mma.a, d=mma.d))
    assert found["from_elements_to_places"].keys() == found["from_places_to_elements"].keys()


def test_details_that_do_not_exist() -> None:
    with pytest.raises(QuestionError, match="multiples of 16"):
        detail(multiplication(k=17))
    with pytest.raises(Violation, match="T5-TYPE-002"):
        multiplication(scale_vectorsize="block16")


@pytest.mark.parametrize("output_format", ["table", "csv", "markdown", "asciidoc", "json"])
def test_formats(output_format: str) -> None:
    assert "tcgen05.mma.cta_group::1.kind::f16" in detail(multiplication()).render(output_format)


def matrix(role: str, **parameters: Any) -> PlannedMatrix:
    return PlannedMatrix(role, multiplication(**parameters))


@pytest.mark.parametrize(
    ("asked", "columns"),
    [
        (matrix("D", m=128, n=256), 256),
        (matrix("D", m=128, n=256, cta_group=2), 128),
        (matrix("D", m=64, n=256), 256),
        (matrix("D", m=64, n=256, ws=True), 128),
        (matrix("D", m=32, n=256, ws=True), 64),
        (matrix("A", m=128, k=64), 32),
        (matrix("A", m=128, k=64, sparse=True), 16),
        (matrix("A", kind="f8f6f4", a="e2m1", m=128, k=64), 16),
        (matrix("A", kind="mxf4", m=128, k=64), 8),
        (matrix("SFA", kind="mxf8f6f4", m=128, k=128), 4),
        (matrix("SFB", kind="mxf8f6f4", n=256, k=128), 8),
        (matrix("SFB", kind="mxf8f6f4", m=128, n=256, k=128, cta_group=2), 4),
        (matrix("SFA", kind="mxf4nvf4", m=128, k=256), 16),
        (matrix("metadata", m=128, k=128, sparse=True), 4),
        (matrix("metadata", kind="f8f6f4", m=128, k=128, sparse=True), 4),
    ],
)
def test_columns_of_a_matrix(asked: PlannedMatrix, columns: int) -> None:
    assert plan([asked]).used == columns


def test_plan() -> None:
    d, a = matrix("D", m=128, n=128), matrix("metadata", m=128, k=32, sparse=True)
    sfa = matrix("SFA", kind="mxf8f6f4", m=128, k=128)
    planned = plan([d, a, sfa])
    assert [each.columns for each in planned.regions] == [
        range(128),
        range(128, 129),
        range(132, 136),
    ]
    assert (planned.used, planned.allocation) == (133, 256)
    found = json.loads(answer(planned).json())
    assert found["left_in_the_allocation"] == 256 - 133
    assert [each["matrix"] for each in found["matrices"]] == ["D", "metadata", "SFA"]
    drawn = answer(planned).text().splitlines()[-8:]
    assert {line.split()[-1] for line in drawn} == {"a" * 32 + "bc" + "." * 30}


def test_plan_of_half_of_the_lanes() -> None:
    planned = plan([matrix("D", m=64, n=64)])
    assert "0-15, 32-47, 64-79, 96-111" in answer(planned).text()
    cells = picture(planned).cells
    assert [bool(row[0].text) for row in cells] == [True, False] * 4


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ([], "number of matrices must be 1 or more"),
        ([matrix("D", m=128, n=256)] * 3, "columns of tensor memory"),
    ],
)
def test_plans_that_do_not_fit(asked: list[PlannedMatrix], message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        plan(asked)
