"""Tests of all legal forms of the tcgen05 family, against the golden table and ptxas."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr, f32, i1, i16, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from tcgen05_dialect.assembler import assemble
from tcgen05_dialect.isa import targets
from tcgen05_dialect.ptx import tcgen05, tcgen05_mma
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.text.printer import print_module
from tcgen05_dialect.ptx.text.register_names import KernelNames
from tcgen05_dialect.ptx.types import TargetAttr

from ..support.effort import sampled
from ..support.golden_tables import SPLIT_OFFSET, forms
from ..support.oldest_ptxas import OLDEST
from ..support.ptx_instances import Values, module

Row = Mapping[str, Any]
_CURRENT = ("sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f")
"""The targets that ptxas still knows; it does not know sm_101a and sm_101f any more."""
_OTHERS: Mapping[str, type[Instruction]] = {
    "alloc": tcgen05.AllocOp,
    "dealloc": tcgen05.DeallocOp,
    "relinquish_alloc_permit": tcgen05.RelinquishAllocPermitOp,
    "ld": tcgen05.LdOp,
    "ld.red": tcgen05.LdRedOp,
    "st": tcgen05.StOp,
    "wait": tcgen05.WaitOp,
    "fence": tcgen05.FenceOp,
    "cp": tcgen05.CpOp,
    "shift": tcgen05.ShiftOp,
    "commit": tcgen05.CommitOp,
}
_KEYWORDS = ("pack", "unpack", "abs", "nan", "ashift")
_FORMATS = {"b8x16.b6x16_p32": "b6x16_p32", "b8x16.b4x16_p64": "b4x16_p64"}


@cache
def rows() -> Sequence[Row]:
    return forms()


def _word(text: str) -> str:
    """How IR spells what PTX spells so."""
    return text.lower().replace("::", "_")


def _properties(group: str, attrs: Row) -> Iterator[tuple[str, str | int]]:
    for name, value in attrs.items():
        match name:
            case "cta_group":
                yield name, f"cta_group_{value}"
            case "space" if value != "generic":
                yield name, _word(value)
            case "shape":
                yield name, f"shape_{value}"
                if value == "16x32bx2":
                    yield "split_offset", SPLIT_OFFSET
            case "num" | "kind" | "type":
                yield name, value
            case "redop":
                yield "op", value
            case "op" if group == "wait":
                yield "operation", value
            case "op":
                yield "order", f"{value}_thread_sync"
            case "fmt":
                yield "format", _FORMATS[value]
            case "multicast" if group == "cp":
                yield name, _word(value)
            case "scale_vectorsize":
                yield name, _word(value)
            case "scale_input_d":
                yield name, 5
            case "collector":
                buffer, _, operation = value.rpartition("::")
                yield "collector_buffer", buffer or "a"
                yield "collector_op", operation
            case _ if name in _KEYWORDS:
                yield name, name
            case _:
                pass


def _operands(group: str, attrs: Row, values: Values) -> Iterator[tuple[str, list[SSAValue]]]:
    word, double = values.by_type[i32], values.by_type[i64]
    columns = attrs.get("ncols", "reg")
    known = word if columns == "reg" else values.constant(i32, int(columns))
    is_generic = attrs.get("space") == "generic" or "addr64" in attrs
    match group:
        case "alloc":
            yield "address", [double if is_generic else word]
            yield "columns", [known]
        case "dealloc":
            yield "taddr", [word]
            yield "columns", [known]
        case "commit":
            yield "mbarrier", [double if is_generic else word]
            if "multicast" in attrs:
                yield "multicast_mask", [values.by_type[i16]]
        case "ld" | "ld.red" | "shift":
            yield "address", [word]
        case "st":
            yield "address", [word]
            yield "values", [word] * attrs["regs"]
        case "cp":
            yield "address", [word]
            yield "descriptor", [double]
        case _ if group.startswith("mma"):
            yield from _matrices(attrs, values)
        case _:
            pass


def _matrices(attrs: Row, values: Values) -> Iterator[tuple[str, list[SSAValue]]]:
    word, double = values.by_type[i32], values.by_type[i64]
    for name in ("d", "idesc", "metadata", "scale_a", "scale_b"):
        yield name, [word]
    yield "a", [word if attrs["a"] == "tmem" else double]
    yield "b", [double]
    yield "enable_input_d", [values.by_type[i1]]
    yield "disable_output_lane", [word] * attrs.get("disable_output_lane", 0)
    if "zero_column_mask" in attrs:
        yield "zero_column_mask", [double]


def build(row: Row, values: Values) -> Instruction:
    """The operation that a row of the table describes."""
    group, attrs = row["group"], row["attrs"]
    product = f"tcgen05.{group}" + ".block_scale" * ("block_scale" in attrs)
    op_type = _OTHERS.get(group) or tcgen05_mma.OPERATIONS[product]
    properties = dict(_properties(group, attrs))
    result_types: list[Attribute] | None = None
    if group in ("ld", "ld.red"):
        type_ = f32 if attrs.get("type") == "f32" else i32
        result_types = [type_] * (attrs["regs"] + (group == "ld.red"))
    operands = dict(_operands(group, attrs, values))
    return op_type.assemble(operands, result_types, properties)


def _without_names(text: str) -> str:
    return re.sub(r"%[a-z]+\d*", "%", text)


@pytest.mark.slow
def test_the_text_of_every_form() -> None:
    values = Values()
    names = KernelNames(lambda line: None)
    wrong: list[tuple[str, str]] = []
    for row in rows():
        op = build(row, values)
        op.verify_()
        text = f"{syntax_of(type(op)).ptx(op, names)};"
        expected = row["ptx"]
        if _without_names(text) != _without_names(expected):
            wrong.append((text, expected))
    assert wrong == []


def test_targets_and_versions_of_every_form() -> None:
    values = Values()
    wrong: list[tuple[str, str, str | None]] = []
    cells = 0
    for row in rows():
        features = ("base", *build(row, values).features())
        for target in targets.TARGETS:
            first = [targets.first_version(feature, target) for feature in features]
            known = [version for version in first if version is not None]
            found = str(max(known)) if len(known) == len(first) else None
            if found != row["min_ptx_by_target"].get(target):
                wrong.append((row["id"], target, found))
            cells += 1
    assert wrong == []
    assert cells == len(rows()) * len(targets.TARGETS)


@pytest.mark.slow
@pytest.mark.parametrize("cta_group", sampled([1, 2], 1))
def test_ir_of_every_form_round_trips(cta_group: int) -> None:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(PTX)
    made = _module(row for row in rows() if row["attrs"].get("cta_group", 1) == cta_group)
    made.verify()
    text = str(made)
    assert str(Parser(context, text).parse_module()) == text
    generic = io.StringIO()
    Printer(generic, print_generic_format=True).print_op(made)
    assert str(Parser(context, generic.getvalue()).parse_module()) == text


def _module(chosen: Iterable[Row]) -> ModuleOp:
    values = Values()
    return module(values, [build(row, values) for row in chosen])


@pytest.mark.slow
@pytest.mark.parametrize("target", _CURRENT)
def test_ptxas_takes_every_form(target: str) -> None:
    for ptx in _every_form(target, targets.NEWEST):
        assemble(ptx, target, ["-O0"])


@pytest.mark.slow
@pytest.mark.parametrize("target", targets.TARGETS)
def test_the_oldest_ptxas_takes_every_form(target: str) -> None:
    release = OLDEST[target]
    for ptx in _every_form(target, targets.parse_version(release.ptx_version)):
        release.assemble(ptx, target, "-O0")


def _every_form(target: str, version: targets.Version) -> Iterator[str]:
    """Kernels with all forms that a target has in a PTX version, one for each CTA group."""
    attribute = TargetAttr(StringAttr(target), StringAttr(str(version)))
    count = 0
    for cta_group in (1, 2):
        chosen = [
            row
            for row in rows()
            if row["attrs"].get("cta_group", cta_group) == cta_group
            and (first := row["min_ptx_by_target"].get(target)) is not None
            and targets.parse_version(first) <= version
        ]
        count += len(chosen)
        yield print_module(_module(sampled(chosen, 6, of=lambda row: row["group"])), attribute)
    assert count > 1000
