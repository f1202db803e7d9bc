"""Tests of the constructors: each operation equals the parsed one, from plain Python values."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    bf16,
    f16,
    f32,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Data, SSAValue
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect import InstructionDescriptor
from tcgen05_dialect.compiler import parse
from tcgen05_dialect.operations import classes_of, ptx, tcgen05, ws
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.ws.dialect import WS
from tcgen05_dialect.xdsl_support.construction import STATIC, ConstructedOperation, signature_of

from ..support.repository import LIT_TESTS

FILES = [
    file
    for dialect in ("ptx", "tcgen05", "ws")
    for file in sorted((LIT_TESTS / dialect).glob("*.mlir"))
    if not file.stem.endswith(("invalid", "warnings"))
]
WORD = test.TestOp(result_types=[i32]).results[0]
ADDRESS = test.TestOp(result_types=[i64]).results[0]
TILE = tcgen05.TensorMemoryType.get(128, 32, f32)
MATRIX = test.TestOp(result_types=[TILE]).results[0]


def plain(attribute: Attribute) -> object:
    """The Python value that a constructor takes for an attribute."""
    match attribute:
        case UnitAttr():
            return True
        case IntegerAttr(value=value, type=type_) if type_ in (i32, i64):
            return value.data
        case StringAttr(data=text):
            return text
        case SymbolRefAttr():
            return attribute.string_value()
        case DenseArrayBase():
            return list(cast("DenseArrayBase[Any]", attribute).get_values())
        case ArrayAttr(data=items) if all(isinstance(each, StringAttr) for each in items):
            return [each.data for each in items if isinstance(each, StringAttr)]
        case Data():
            return cast("Data[object]", attribute).data
        case _:
            return attribute


def arguments(op: ConstructedOperation) -> dict[str, Any]:
    """The arguments of the constructor for an operation, without those that follow."""
    definition = type(op).get_irdl_definition()
    known: dict[str, Any] = {name: plain(each) for name, each in op.properties.items()}
    if isinstance(op, ptx.ConstantOp) and op.result.type != i32:
        known["value"] = op.value  # A plain number is a constant of i32.
    for name, _ in (*definition.operands, *definition.successors):
        held: Any = getattr(op, name)
        several = signature_of(type(op)).parameters[name].annotation.startswith("Sequence")
        known[name] = list(held) if several and not isinstance(held, SSAValue) else held
        if STATIC + name in op.properties:
            values = iter(known[name])
            numbers = cast("list[int]", known[STATIC + name])
            known[name] = [next(values) if each == -(2**63) else each for each in numbers]
    for region, (name, _) in zip(op.regions, definition.regions, strict=True):
        known[name] = region.clone()
    known["attributes"] = dict(op.attributes) or None
    known["result_type"] = op.results[0].type if op.results else None
    known["result_types"] = [each.type for each in op.results]
    parameters = signature_of(type(op)).parameters
    return {name: value for name, value in known.items() if name in parameters}


def rebuilt(op: ConstructedOperation) -> ConstructedOperation:
    """The operation, constructed; types of results are given only if they do not follow."""
    known = arguments(op)
    optional = {
        name
        for name in ("result_type", "result_types")
        if name in known and signature_of(type(op)).parameters[name].default is None
    }
    try:
        built = type(op)(**{name: known[name] for name in known if name not in optional})
    except TypeError:
        return type(op)(**known)
    if [each.type for each in built.results] == [each.type for each in op.results]:
        return built
    return type(op)(**arguments(op))


def operations(file: Path) -> Iterator[ConstructedOperation]:
    for text in re.split(r"^// -----", file.read_text(), flags=re.MULTILINE):
        module, _ = parse(Source(file.name, text))
        for op in module.walk():
            if isinstance(op, ConstructedOperation):
                yield op


@pytest.mark.slow
def test_every_operation_is_constructed_as_it_is_parsed() -> None:
    seen: set[str] = set()
    for file in FILES:
        for op in operations(file):
            seen.add(op.name)
            assert rebuilt(op).is_structurally_equivalent(op), f"{file.name}: {op}"
    assert seen == {op.name for each in (PTX, TCGEN05, WS) for op in each.operations}


def test_arguments_are_plain_values() -> None:
    tile = ws.SharedTileType.get(128, 64, bf16, "k_major", "swizzle_128b")
    ring = ws.RingOp(result_type=ws.RingType.get(4, [tile]))
    assert str(ring) == ("%0 = ws.ring 4 : !ws.smem<128x64xbf16, k_major, swizzle_128b>")
    idesc = InstructionDescriptor("f16", 128, 32, "bf16", "bf16", "f32")
    a, b = (
        tcgen05.DescriptorOp(WORD, result_type=tcgen05.SharedMemoryDescriptorType.get(*each))
        for each in (
            (128, 64, bf16, "k_major", "swizzle_128b"),
            (32, 64, bf16, "k_major", "swizzle_128b"),
        )
    )
    mma = tcgen05.MmaOp(MATRIX, a, b, ptx.ConstantOp(value=True), idesc=idesc, collector="fill")
    assert mma.idesc is not None and mma.idesc.data == idesc
    assert mma.ctas == 1


def test_types_of_results_follow() -> None:
    ld = tcgen05.LdOp(MATRIX, shape="shape_32x32b", num="x32")
    assert [each.type for each in ld.results] == [f32] * 32
    raw = ptx.Tcgen05LdOp(WORD, shape="shape_32x32b", num="x2")
    assert [each.type for each in raw.results] == [i32] * 2
    loaded = ptx.LdOp(ADDRESS, space="global", type="f32", result_types=[f32, f32])
    assert len(loaded.values) == 2


@pytest.mark.parametrize(
    ("op_type", "positional", "named", "message"),
    [
        (ptx.MbarrierInitOp, [WORD], {}, "missing a required argument: 'count'"),
        (
            ptx.MbarrierInitOp,
            [WORD, 3],
            {},
            "count: expected a value, or an operation with one result; found 3",
        ),
        (
            ptx.MbarrierInitOp,
            [WORD, ptx.RetOp()],
            {},
            "count: expected a value, or an operation with one result; found ptx.ret, "
            "which has 0 results",
        ),
        (
            ptx.SetmaxnregOp,
            [],
            {"action": "inc", "registers": object},
            "registers: expected Integer; found <class 'object'>",
        ),
        (
            ptx.LdOp,
            [ADDRESS],
            {"space": "global", "type": "b32"},
            "result_types does not follow from the operands: give it",
        ),
    ],
)
def test_wrong_arguments(
    op_type: type[ConstructedOperation], positional: list[Any], named: Any, message: str
) -> None:
    with pytest.raises(TypeError) as error:
        op_type(*positional, **named)
    assert str(error.value) == f"{op_type.name}: {message}"


def test_an_illegal_word_is_left_to_the_verifier() -> None:
    op = ptx.FenceOp(scope=cast(Any, "warp"))
    with pytest.raises(VerifyException, match="T5-PTX"):
        op.verify()


def test_numbers_and_values_may_be_mixed() -> None:
    part = tcgen05.TensorMemoryType.get(128, 8, f32)
    slice_ = tcgen05.SliceOp(MATRIX, [0, WORD], result_type=part)
    assert slice_.mixed_offsets() == [0, WORD]


def test_names_are_different() -> None:
    """The class of an operation has one name in the module of its dialect."""
    for dialect in (PTX, TCGEN05, WS):
        assert len(classes_of(dialect)) == len([*dialect.operations, *dialect.attributes])
    assert ptx.Tcgen05LdOp is not ptx.LdOp


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [(64, i64, "64"), (-1, i8, "-1"), (1.5, f16, "1.500000e+00"), (64, f16, "6.400000e+01")],
)
def test_number_has_the_type_of_the_result(value: float, type_: Attribute, text: str) -> None:
    constant = ptx.ConstantOp(value=value, result_type=type_)
    constant.verify()
    assert constant.result.type == type_
    assert str(constant) == f"%0 = ptx.constant {text} : {type_}"


@pytest.mark.parametrize(
    ("op_type", "name", "words"),
    [
        (tcgen05.FenceOp, "order", ["after_thread_sync", "before_thread_sync"]),
        (tcgen05.MmaOp, "collector", ["discard", "fill", "lastuse", "use"]),
        (ws.ProduceOp, "by", ["mma", "threads", "tma"]),
        (ptx.FenceOp, "scope", ["cluster", "cta", "gpu", "sys"]),
    ],
)
def test_type_checkers_know_the_words(
    op_type: type[ConstructedOperation], name: str, words: list[str]
) -> None:
    annotation = signature_of(op_type).parameters[name].annotation
    assert annotation.startswith(f"Literal[{', '.join(map(repr, words))}] | StringAttr")


def test_every_text_without_words_is_free() -> None:
    """Names and lines of PTX are any text; all other texts are one of some words."""
    free = {
        (op.name, name)
        for dialect in (PTX, TCGEN05, WS)
        for op in dialect.operations
        if issubclass(op, ConstructedOperation)
        for name, each in signature_of(op).parameters.items()
        if each.annotation.startswith("Text")
    }
    assert {name for _, name in free} <= {"sym_name", "text", "linking"}


def test_an_unknown_operation_names_another_one() -> None:
    """Former names and misspelt ones."""
    for name, instead in (("MovBitsOp", "MovOp with type='b32'"), ("RedOps", "RedOp")):
        with pytest.raises(AttributeError, match=f"has no operation {name}; use {instead}"):
            getattr(ptx, name)
