"""Tests of what the passes refuse: one message with a location each; the rest assembles."""

from itertools import product

import pytest
from xdsl.dialects.arith import Arith

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.reporting.diagnostics import CompileError

from ..support.effort import sampled

REGISTERS = ("i1", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")
OTHER_TYPES = (
    *("i4", "i8", "i128", "si32", "f80", "f8E5M2", "tf32"),
    *("vector<4xi32>", "tensor<4xf32>", "memref<4xf32>", "!ptx.tensor_map", "tuple<i32>"),
    "!tcgen05.tmem<128x32xf32>",
    "!tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>",
)
SPECIAL = {"constant", "cmpi", "cmpf", "select", "addui_extended"}
CASTS = {
    *("bitcast", "index_cast", "extf", "truncf", "extsi", "extui", "trunci"),
    *("fptosi", "fptoui", "sitofp", "uitofp"),
}
NAMES = sorted(op.name.removeprefix("arith.") for op in Arith.operations)


def operations(type_: str) -> list[tuple[str, str]]:
    """
    Every operation of `arith` on %x and %y of a type, as far as its text can say so, with the type
    of its result.
    """
    binary = [name for name in NAMES if name not in SPECIAL | CASTS | {"negf"}]
    same = [
        *(f"%r = arith.{name} %x, %y : {type_}" for name in binary if "_extended" not in name),
        *(f"%r, %s = arith.{name} %x, %y : {type_}" for name in binary if "_extended" in name),
        f"%r, %s = arith.addui_extended %x, %y : {type_}, i1",
        f"%r = arith.negf %x : {type_}",
        f"%r = arith.select %p, %x, %y : {type_}",
        f"%r = arith.constant 1 : {type_}",
        f"%r = arith.constant 1.5 : {type_}",
    ]
    compared = [
        *(f"%r = arith.cmpi {p}, %x, %y : {type_}" for p in ("eq", "slt", "uge")),
        *(f"%r = arith.cmpf {p}, %x, %y : {type_}" for p in ("oeq", "une", "uno", "true")),
    ]
    targets = (*REGISTERS, "index", "i8", "vector<4xi32>")
    return [
        *((text, type_) for text in same),
        *((text, "i1") for text in compared),
        *(
            (f"%r = arith.{name} %x : {type_} to {target}", target)
            for name, target in product(sorted(CASTS), targets)
        ),
    ]


def test_all_operations_are_tried():
    """A new operation of `arith` must be put where it belongs."""
    tried = "\n".join(text for text, _ in operations("i32"))
    assert [name for name in NAMES if f"arith.{name} " not in tried] == []


def message(text: str) -> str | None:
    """The message of what is wrong with a module, if anything is."""
    try:
        compile_to_ptx(text)
    except CompileError as error:
        assert error.location is not None, str(error)
        return error.message
    return None


def with_loads(type_: str, operation: str, result: str, name: str, known: str) -> str:
    """
    A kernel that applies an operation to values that it loads, and keeps the result; the value
    `known` is a constant.
    """
    if type_ == "i1":
        lines = {n: f"%{n} = ptx.setp eq b32 %n, %n" for n in ("x", "y")}
    else:
        bits = {"bf16": "b16"}.get(type_, f"b{type_[1:]}")
        lines = {n: f"%{n} = ptx.ld global {bits} [%out] -> {type_}" for n in ("x", "y")}
    if known:
        value = {"i": "-1", "f": "1.5", "b": "1.5"}[type_[0]]
        lines[known] = f"%{known} = arith.constant {value} : {type_}"
    return f"""
ptx.kernel @{name}(%n : i32, %out : i64) {{
  {lines["x"]}
  {lines["y"]}
  %p = ptx.setp eq b32 %n, %n
  {operation}
  cf.br ^end(%r : {result})
^end(%kept : {result}):
  ptx.ret
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("type_", "known"), sampled(product(REGISTERS, ("", "x", "y")), 3))
def test_operations_on_registers(type_: str, known: str):
    accepted: list[str] = []
    for operation, result in sampled(operations(type_), 60):
        text = with_loads(type_, operation, result, f"kernel{len(accepted)}", known)
        found = message(text)
        if found is None:
            accepted.append(text)
    # Of each type there is at least the selection, the comparison and the constant.
    assert len(accepted) > 10
    assert assemble(compile_to_ptx("".join(accepted)), "sm_100a").messages == ""


@pytest.mark.slow
@pytest.mark.parametrize("type_", OTHER_TYPES)
def test_operations_on_what_has_no_register(type_: str):
    for operation, _ in sampled(operations(type_), 50):
        text = f"""
ptx.kernel @kernel(%n : i32) {{
  %p = ptx.setp eq b32 %n, %n
  ptx.ret
^unreachable(%x : {type_}, %y : {type_}):
  {operation}
  ptx.ret
}}
"""
        found = message(text)
        if "constant" not in operation and "select" not in operation:
            assert found is not None, operation


@pytest.mark.parametrize(
    ("operation", "legal"),
    [
        ("%r:2 = arith.mulsi_extended %n, %n : i32", "arith.addf, arith.addi"),
        ("scf.execute_region { scf.yield }", "scf.for"),
        ('cf.assert %p, "text"', "cf.br, cf.cond_br, cf.switch"),
        (
            '%cast = "builtin.unrealized_conversion_cast"(%n) : (i32) -> i32',
            "ptx, tcgen05, scf and cf",
        ),
        (
            '"scf.parallel"(%c, %c, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({'
            "^bb0(%i : index): scf.reduce }) : (index, index, index) -> ()",
            "scf.for",
        ),
    ],
)
def test_operations_without_lowering(operation: str, legal: str):
    found = message(f"""
ptx.kernel @kernel(%n : i32) {{
  %c = arith.constant 1 : index
  %p = ptx.setp eq b32 %n, %n
  {operation}
  ptx.ret
}}
""")
    assert found is not None
    assert "has no lowering to PTX here" in found
    assert legal in found
