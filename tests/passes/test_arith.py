"""Tests of the lowering of `arith`: every operation and width, folded and at run time."""

import math
import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tcgen05_dialect.isa.instructions.table import family_of
from tcgen05_dialect.ptx.instructions import CvtOp, SelpOp

from ..support.effort import part, sampled
from ..support.lowering import lowered
from ..support.ptx_interpreter import run

WIDTHS = (1, 16, 32, 64)
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def kernel(body: str, parameters: str = "%out : i64") -> ModuleOp:
    """A module of one kernel, lowered."""
    return lowered(f"ptx.kernel @kernel({parameters}) {{\n{body}\n  ptx.ret\n}}")


def stored(name: str, type_: str) -> str:
    """IR that stores the value `name`, of any type."""
    if type_ == "i1":
        wide = f"%{name}_wide"
        return f"{wide} = arith.extui %{name} : i1 to i32\n{stored(f'{name}_wide', 'i32')}"
    bits = {"f16": "b16", "bf16": "b16", "index": "b64"}.get(type_, f"b{type_[1:]}")
    if type_ == "index":
        return f"%{name}_i = arith.index_cast %{name} : index to i64\n{stored(f'{name}_i', 'i64')}"
    return f"ptx.st global {bits} [%out], {{%{name}}}"


def parameter(name: str, width: int) -> tuple[str, str]:
    """A parameter of the kernel, and IR that makes a value of this width of it."""
    if width > 1:
        return f"%{name} : i{width}", ""
    return f"%{name}_i32 : i32", f"%{name} = arith.trunci %{name}_i32 : i32 to i1"


# What the definitions of MLIR say, on unsigned integers; None where the result is undefined.
def signed(x: int, width: int) -> int:
    return x - (1 << width) if x >> (width - 1) else x


def divided(
    rounding: Callable[[int, int], int], is_signed: bool, remainder: bool = False
) -> Callable[[int, int, int], int | None]:
    def evaluate(x: int, y: int, width: int) -> int | None:
        if is_signed:
            x, y = signed(x, width), signed(y, width)
        if y == 0 or (is_signed and y == -1 and x == -(1 << (width - 1))):
            return None
        quotient = rounding(x, y)
        return x - quotient * y if remainder else quotient

    return evaluate


def towards_zero(x: int, y: int) -> int:
    return x // y if (x < 0) == (y < 0) else -(-x // y)


def up(x: int, y: int) -> int:
    return -(-x // y)


def down(x: int, y: int) -> int:
    return x // y


BINARY: dict[str, Callable[[int, int, int], int | None]] = {
    "addi": lambda x, y, w: x + y,
    "subi": lambda x, y, w: x - y,
    "muli": lambda x, y, w: x * y,
    "andi": lambda x, y, w: x & y,
    "ori": lambda x, y, w: x | y,
    "xori": lambda x, y, w: x ^ y,
    "minui": lambda x, y, w: min(x, y),
    "maxui": lambda x, y, w: max(x, y),
    "minsi": lambda x, y, w: min(signed(x, w), signed(y, w)),
    "maxsi": lambda x, y, w: max(signed(x, w), signed(y, w)),
    "divui": divided(down, False),
    "divsi": divided(towards_zero, True),
    "remui": divided(down, False, remainder=True),
    "remsi": divided(towards_zero, True, remainder=True),
    "ceildivui": divided(up, False),
    "ceildivsi": divided(up, True),
    "floordivsi": divided(down, True),
    "shli": lambda x, y, w: x << y if y < w else None,
    "shrui": lambda x, y, w: x >> y if y < w else None,
    "shrsi": lambda x, y, w: signed(x, w) >> y if y < w else None,
}
NOT_OF_I1 = {name for name in BINARY if "div" in name or "rem" in name or "sh" in name}
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def compared(predicate: str, x: int, y: int, width: int) -> int:
    if predicate[0] == "s":
        x, y = signed(x, width), signed(y, width)
    return int(COMPARE[predicate[-2:]](x, y))


def numbers(width: int) -> st.SearchStrategy[int]:
    """Unsigned numbers, often near the ends of the ranges."""
    edges = {x % (1 << width) for x in (0, 1, 2, 3, 7, width - 1, width, -1, -2, 1 << (width - 1))}
    edges |= {(1 << (width - 1)) - 1}
    return st.sampled_from(sorted(edges)) | st.integers(0, (1 << width) - 1)


def constant(name: str, number: int, width: int) -> str:
    """The definition of a constant whose bits are an unsigned number."""
    return f"%{name} = arith.constant {signed(number, width)} : i{width}"


def pairs(width: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(numbers(width), numbers(width)), min_size=1, max_size=40)


CASES = sampled(
    [(name, width) for name in BINARY for width in WIDTHS if width > 1 or name not in NOT_OF_I1],
    1,
    of=lambda case: case[0],
)
"""Each operation, with some widths."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "width"), CASES)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_constants_fold(name: str, width: int, data: st.DataObject):
    cases = data.draw(pairs(width))
    body: list[str] = []
    for index, (x, y) in enumerate(cases):
        body.append(constant(f"x{index}", x, width))
        body.append(constant(f"y{index}", y, width))
        body.append(f"%r{index} = arith.{name} %x{index}, %y{index} : i{width}")
        body.append(stored(f"r{index}", f"i{width}"))
    module = kernel("\n".join(body))
    expected = [BINARY[name](x, y, width) for x, y in cases]
    if None not in expected:
        computing = [op for op in module.walk() if isinstance(op, CvtOp) or _computes(op)]
        assert not computing
        assert run(module, [0]) == [e % (1 << width) for e in expected if e is not None]


def _computes(op: Operation) -> bool:
    families = ("arithmetic", "bits", "comparison")
    return family_of(op.name.removeprefix("ptx.")) in families


def one_operation(name: str, width: int, x: int | None = None, y: int | None = None) -> ModuleOp:
    """A kernel of parameters x and y that stores the result; those given are constants instead."""
    lines: list[str] = []
    parameters: list[str] = []
    for operand, known in (("x", x), ("y", y)):
        given_parameter, value = parameter(operand, width)
        if known is not None:
            given_parameter = f"%unused : i{max(16, width)}"
            value = constant(operand, known, width)
        lines.append(value)
        parameters.append(given_parameter)
    lines += [f"%r = arith.{name} %x, %y : i{width}", stored("r", f"i{width}")]
    return kernel("\n".join(lines), ", ".join((*parameters, "%out : i64")))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "width"), CASES)
def test_instructions_compute(name: str, width: int):
    module = one_operation(name, width)

    @settings(max_examples=part(100), deadline=None)
    @given(numbers(width), numbers(width))
    def check(x: int, y: int):
        expected = BINARY[name](x, y, width)
        if expected is not None:
            assert run(module, [x, y, 0]) == [expected % (1 << width)]

    @settings(max_examples=3, deadline=None)
    @given(numbers(width), numbers(width))
    def check_with_one_constant(x: int, y: int):
        expected = BINARY[name](x, y, width)
        if expected is not None:
            results = [expected % (1 << width)]
            assert run(one_operation(name, width, x=x), [0, y, 0]) == results
            assert run(one_operation(name, width, y=y), [x, 0, 0]) == results

    check()
    check_with_one_constant()


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("predicate", INTEGER_PREDICATES)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_integer_comparisons(predicate: str, width: int, data: st.DataObject):
    cases = data.draw(pairs(width))
    body: list[str] = []
    for index, (x, y) in enumerate(cases):
        body.append(constant(f"x{index}", x, width))
        body.append(constant(f"y{index}", y, width))
        body.append(f"%r{index} = arith.cmpi {predicate}, %x{index}, %y{index} : i{width}")
        body.append(stored(f"r{index}", "i1"))
    expected = [compared(predicate, x, y, width) for x, y in cases]
    assert run(kernel("\n".join(body)), [0]) == expected

    (x_parameter, x_value), (y_parameter, y_value) = parameter("x", width), parameter("y", width)
    body = [x_value, y_value, f"%r = arith.cmpi {predicate}, %x, %y : i{width}", stored("r", "i1")]
    module = kernel("\n".join(body), f"{x_parameter}, {y_parameter}, %out : i64")
    assert [run(module, [x, y, 0]) for x, y in cases] == [[e] for e in expected]


CASTS = [
    (name, source, target)
    for name, grows in (("extsi", True), ("extui", True), ("trunci", False))
    for source in WIDTHS
    for target in WIDTHS
    if source != target and (source < target) == grows
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "source", "target"), CASTS)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_integer_casts(name: str, source: int, target: int, data: st.DataObject):
    cases = data.draw(st.lists(numbers(source), min_size=1, max_size=20))
    value_parameter, value = parameter("x", source)
    cast = f"arith.{name} %x : i{source} to i{target}"
    module = kernel(
        f"{value}\n%r = {cast}\n{stored('r', f'i{target}')}", f"{value_parameter}, %out : i64"
    )
    for x in cases:
        expected = (signed(x, source) if name == "extsi" else x) % (1 << target)
        value = constant("x", x, source)
        folded = kernel(f"{value}\n%r = {cast}\n{stored('r', f'i{target}')}")
        assert run(module, [x, 0]) == [expected] == run(folded, [0])


SELECTED = {
    "i1": ("i16", "arith.trunci"),
    "i16": ("i16", None),
    "i32": ("i32", None),
    "i64": ("i64", None),
    "index": ("i64", "arith.index_cast"),
    "f16": ("i16", "arith.bitcast"),
    "bf16": ("i16", "arith.bitcast"),
    "f32": ("i32", "arith.bitcast"),
    "f64": ("i64", "arith.bitcast"),
}
"""A type -> the type of a parameter, and what makes a value of the type of it."""


@pytest.mark.parametrize("type_", SELECTED)
def test_select(type_: str):
    given_type, convert = SELECTED[type_]
    x, y = ("%x", "%y") if convert is None else ("%v", "%w")
    lines = ["%c = arith.trunci %n : i32 to i1", f"%r = arith.select %c, {x}, {y} : {type_}"]
    if convert is not None:
        lines[:0] = [
            f"{to} = {convert} {value} : {given_type} to {type_}"
            for to, value in ((x, "%x"), (y, "%y"))
        ]
    parameters = f"%n : i32, %x : {given_type}, %y : {given_type}, %out : i64"
    module = kernel("\n".join((*lines, stored("r", type_))), parameters)
    assert run(module, [1, 3, 2, 0]) == [1 if type_ == "i1" else 3]
    assert run(module, [0, 3, 2, 0]) == [0 if type_ == "i1" else 2]


@pytest.mark.parametrize("known", [True, False])
def test_select_of_a_known_condition(known: bool):
    body = f"%c = arith.constant {str(known).lower()}\n%r = arith.select %c, %x, %y : i32\n"
    module = kernel(body + stored("r", "i32"), "%x : i32, %y : i32, %out : i64")
    assert not [op for op in module.walk() if isinstance(op, SelpOp)]
    assert run(module, [5, 6, 0]) == [5 if known else 6]


def f32(value: float) -> int:
    return int.from_bytes(struct.pack("<f", value), "little")


@pytest.mark.parametrize("predicate", FLOAT_PREDICATES)
def test_float_comparisons(predicate: str):
    samples = (0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan)
    module = kernel(
        f"%r = arith.cmpf {predicate}, %x, %y : f32\n{stored('r', 'i1')}",
        "%x : f32, %y : f32, %out : i64",
    )
    for x in samples:
        for y in samples:
            unordered = math.isnan(x) or math.isnan(y)
            if predicate in ("true", "false"):
                expected = predicate == "true"
            elif predicate in ("ord", "uno"):
                expected = unordered == (predicate == "uno")
            else:
                expected = predicate[0] == "u" if unordered else COMPARE[predicate[1:]](x, y)
            assert run(module, [f32(x), f32(y), 0]) == [int(expected)]
