"""Tests of the arithmetic of the emulator, lane by lane, against exact fractions."""

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.test_value import create_ssa_value

from tcgen05_dialect.isa.instructions.table import family_of
from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.control_flow import BraOp
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.instructions import RetOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.simulator.instructions import handlers_of
from tcgen05_dialect.simulator.numbers.floats import dtype_of

from ..support.arithmetic_reference import expected, text, width
from ..support.effort import part, sampled
from ..support.float_reference import LAYOUTS, Layout, nan_of
from ..support.ptx_instances import INSTRUCTIONS, Point, is_legal, points
from ..support.ptx_interpreter import execute

LANES = 32
FAMILIES = ("arithmetic", "bits", "comparison")
CONVERSIONS = ("cvt", "cvt.byte", "cvt.pack", "mov", "pack", "unpack")
CIRCULAR: Mapping[type[Instruction], Callable[[Any], Any]] = {
    instructions.SinOp: np.sin,
    instructions.CosOp: np.cos,
    instructions.SinTurnsOp: lambda x: np.sin(2 * np.pi * (x % 1)),
    instructions.CosTurnsOp: lambda x: np.cos(2 * np.pi * (x % 1)),
}
OPERATIONS = [
    op
    for op in INSTRUCTIONS
    if (name := op.name.removeprefix("ptx.")) in CONVERSIONS or family_of(name) in FAMILIES
    if op not in CIRCULAR
]
Qualifiers = Mapping[str, str]


def instance(point: Point) -> Instruction:
    """An instruction each of whose operands is a value of its own."""
    operands = {
        name: [create_ssa_value(point.types[name]) for _ in range(point.counts[name])]
        for name in syntax_of(point.op_type).operand_names
    }
    results = [
        point.types[result.name]
        for result in syntax_of(point.op_type).results
        for _ in range(point.counts[result.name])
    ]
    return point.op_type.assemble(operands, results, point.properties)


@cache
def instances(op_type: type[Instruction]) -> list[Instruction]:
    """The instruction with all qualifiers and types that it may have, each once."""
    made = [instance(point) for point in points(op_type)]
    return list({str(op): op for op in made if is_legal(op)}.values())


def _register(bits: Sequence[int], dtype: Any) -> Any:
    """A register of many lanes; numbers of 128 bits are bytes."""
    if np.dtype(dtype).kind != "V":
        return np.array(bits, dtype)
    data = b"".join(each.to_bytes(np.dtype(dtype).itemsize, "little") for each in bits)
    return np.frombuffer(data, dtype)


def _numbers(register: Any) -> list[int]:
    if register.dtype.kind != "V":
        return [int(bits) for bits in register]
    return [int.from_bytes(bits.tobytes(), "little") for bits in register]


def run(op: Instruction, operands: Sequence[Sequence[int]]) -> list[list[int]]:
    """The bits of each result in each lane, by the emulator."""
    registers: list[Any] = []
    indices: dict[SSAValue, int] = {}

    def index(value: SSAValue) -> int:
        if value not in indices:
            indices[value] = len(registers)
            registers.append(None)
        return indices[value]

    for value, bits in zip(op.operands, operands, strict=True):
        registers_index = index(value)
        registers[registers_index] = _register(bits, dtype_of(value.type))
    program: Any = SimpleNamespace(index=index, several=frozenset[Any]())
    group: Any = SimpleNamespace(
        warp=SimpleNamespace(registers=registers),
        read=registers.__getitem__,
        write=registers.__setitem__,
    )
    with np.errstate(all="ignore"):
        assert handlers_of([type(op)])[type(op)](op, program)(group) is None
    results: list[list[int]] = []
    for result in op.results:
        written = registers[index(result)]
        assert written.dtype == dtype_of(result.type)
        assert written.shape == (len(operands[0]),)
        results.append(_numbers(written))
    return results


def special_floats(layout: Layout) -> list[int]:
    """Zeros, ends of the ranges, halves, infinities and NaN, of either sign."""
    unit = 1 << layout.zeros
    first = unit << layout.fraction
    numbers = [
        *(layout.rounded(Fraction(n, 2), "rn") for n in (1, 2, 3, 4, 5, 7, 511)),
        *(layout.rounded(Fraction(2) ** n, "rn") for n in (7, 8, 15, 16, 31, 32, 63, 64, 126, 127)),
        *(0, unit, 2 * unit, first - unit, first, first + unit, first << 1, first * 2 + unit),
        *(layout.infinity - unit, layout.infinity),
        *(
            layout.infinity + unit,
            layout.infinity | 1 << layout.bits - 3,
            layout.nan & ~layout.sign,
        ),
    ]
    return [*numbers, *(bits | layout.sign for bits in numbers)]


SPECIAL = {layout: special_floats(layout) for layout in LAYOUTS.values()}


def draw_float(chance: random.Random, layout: Layout) -> int:
    match chance.randrange(4):
        case 0:
            return chance.choice(SPECIAL[layout])
        case 1:
            return chance.getrandbits(layout.bits)
        case 2:  # near one, few bits: sums and products that are ties, or cancel
            reach = layout.fraction + 2
            exponent = (1 << layout.exponent - 1) - 1 + chance.randint(-reach, reach)
            exponent = max(0, min(exponent, (1 << layout.exponent) - 2))
            few = 1 << chance.randrange(layout.fraction) | chance.getrandbits(2)
            size = (exponent << layout.fraction | few) << layout.zeros
            return size | chance.choice((0, layout.sign))
        case _:  # subnormal, or so small that a product is
            exponent = chance.choice((0, 0, 1, (1 << layout.exponent - 2) - chance.randrange(30)))
            exponent = max(exponent, 0)
            size = exponent << layout.fraction | chance.getrandbits(layout.fraction)
            return size << layout.zeros | chance.choice((0, layout.sign))


def draw_integer(chance: random.Random, size: int) -> int:
    top = 1 << size - 1
    near = chance.choice((0, 1, size, top, top >> 1, 255, 1 << size // 2))
    draws = (near + chance.randint(-2, 2), chance.getrandbits(chance.randint(1, size)))
    return chance.choice((1, -1)) * chance.choice(draws) % (1 << size)


def draw(chance: random.Random, op: Instruction, place: int) -> int:
    """Bits for an operand."""
    size = width(op.operands[place])
    type_ = text(op, "source") or text(op, "type")
    if op.name.endswith(".mixed") and place == len(op.operands) - 1:
        type_ = text(op, "type")
    layout = LAYOUTS.get(type_.removesuffix("x2"))
    if layout is None or size % layout.bits:
        return draw_integer(chance, size)
    return sum(draw_float(chance, layout) << s for s in range(0, size, layout.bits))


def check(op: Instruction, lanes: Sequence[Sequence[int]]) -> None:
    """The emulator does in each lane what the manual says; `lanes` has the operands of each."""
    found = zip(*run(op, list(zip(*lanes, strict=True))), strict=True)
    for operands, results in zip(lanes, found, strict=True):
        wanted = expected(op, operands)
        if list(results) != wanted:
            raise AssertionError(
                f"{op}: {[hex(x) for x in operands]} gives {[hex(x) for x in results]}, "
                f"not {[hex(x) for x in wanted]}"
            )


def sweep(op_type: type[Instruction], count: int, least: int) -> None:
    """Check about so many lanes of an instruction, and at least some with all its qualifiers."""
    chance = random.Random(op_type.name)
    assert instances(op_type)
    tried = sampled(instances(op_type), 20)
    lanes = max(least, count // len(tried))
    for op in tried:
        places = range(len(op.operands))
        for start in range(0, lanes, LANES):
            size = min(LANES, lanes - start)
            check(op, [[draw(chance, op, place) for place in places] for _ in range(size)])


@pytest.mark.slow
@pytest.mark.parametrize("op_type", OPERATIONS, ids=lambda op_type: op_type.name)
def test_results_are_exact(op_type: type[Instruction]) -> None:
    sweep(op_type, part(1000), part(64))


@pytest.mark.slow
@settings(max_examples=part(300), deadline=None)
@given(st.data())
def test_results_are_exact_for_any_bits(data: st.DataObject) -> None:
    op_type = data.draw(st.sampled_from(OPERATIONS))
    op = data.draw(st.sampled_from(instances(op_type)))
    check(op, [[data.draw(st.integers(0, (1 << width(x)) - 1)) for x in op.operands]])


_INTERPRETED = (
    *(ptx.AddOp, ptx.SubOp, ptx.MulOp, ptx.MulWideOp, ptx.DivOp, ptx.RemOp, ptx.MinOp, ptx.MaxOp),
    *(ptx.AndOp, ptx.OrOp, ptx.XorOp, ptx.NotOp, ptx.ShlOp, ptx.ShrOp, ptx.SetpOp, ptx.SelpOp),
    *(ptx.CvtOp, ptx.MovOp, ptx.PackOp),
)


_NOT_INTERPRETED = {
    ("saturate", "sat"),
    ("half", "hi"),
    *(("comparison", comparison) for comparison in ("lo", "ls", "hi", "hs")),
}


def _interpreted(op: Instruction) -> bool:
    """Whether the interpreter of the tests has an instruction: of integers, without qualifiers."""
    types = {text(op, "type"), text(op, "source")} - {""}
    floats = any("f" in type_ for type_ in types)
    missing = {(name, text(op, name)) for name in op.properties} & _NOT_INTERPRETED
    return not (floats or missing or types & {"u8", "s8"})


def _module(op: Instruction) -> tuple[ModuleOp, Instruction]:
    """A kernel that gives the result of an instruction of its parameters to its last block."""
    entry = Block(arg_types=[operand.type for operand in op.operands])
    inner = op.clone(dict(zip(op.operands, entry.args, strict=True)))
    last = Block(arg_types=[op.results[0].type])
    branch = BraOp.create(operands=[inner.results[0]], successors=[last])
    entry.add_ops([inner, branch])
    last.add_op(RetOp.assemble({}))
    name = {"sym_name": StringAttr("kernel")}
    kernel = KernelOp.create(properties=name, regions=[Region([entry, last])])
    return ModuleOp([kernel]), inner


@pytest.mark.parametrize("op_type", _INTERPRETED, ids=lambda op_type: op_type.name)
def test_integers_agree_with_the_interpreter(op_type: type[Instruction]) -> None:
    chance = random.Random(op_type.name)
    tried = [op for op in instances(op_type) if _interpreted(op)]
    assert tried
    for op in tried:
        module, inner = _module(op)
        places = range(len(op.operands))
        lanes = [[draw(chance, op, place) for place in places] for _ in range(LANES)]
        if isinstance(op, ptx.DivOp | ptx.RemOp):
            lanes = [[a, b or 1] for a, b in lanes]
        (found,) = run(inner, list(zip(*lanes, strict=True)))
        assert found == [execute(module, operands)[1][0] for operands in lanes], op


def _one(op_type: type[Instruction], qualifiers: Qualifiers, *operands: int) -> int:
    """The result of an instruction in one lane."""
    named = {name: StringAttr(word) for name, word in qualifiers.items()}
    values = syntax_of(op_type).values
    types = {name: value.usual_type(named) for name, value in values.items()}
    op = instance(Point(op_type, qualifiers, dict.fromkeys(types, 1), types))
    assert is_legal(op)
    ((result,),) = run(op, [[bits] for bits in operands])
    return result


F32 = {"type": "f32"}
ONE, TINY = 0x3F800000, 0x00000001


@pytest.mark.parametrize(
    ("op_type", "qualifiers", "operands", "result"),
    [
        (ptx.AddOp, F32, (ONE, 0x33800000), ONE),  # a tie goes to even
        (ptx.AddOp, F32 | {"rounding": "rp"}, (ONE, TINY), ONE + 1),
        (ptx.AddOp, F32 | {"rounding": "rm"}, (ONE, ONE | 1 << 31), 1 << 31),
        (ptx.AddOp, F32 | {"flush": "ftz"}, (1 << 31 | TINY, 1 << 31), 1 << 31),
        (ptx.AddOp, F32, (0x7F800000, 0xFF800000), 0x7FFFFFFF),
        (ptx.AddOp, {"type": "u32"}, (0xFFFFFFFF, 2), 1),
        (ptx.MinOp, F32, (0x7FC00000, ONE), ONE),
        (ptx.MinOp, F32 | {"nan": "NaN"}, (0x7FC00000, ONE), 0x7FFFFFFF),
        (ptx.MinOp, F32, (0, 1 << 31), 1 << 31),
        (ptx.DivOp, {"type": "s32"}, (1 << 31, 0xFFFFFFFF), 1 << 31),
        (ptx.DivOp, {"type": "u16"}, (7, 0), 0xFFFF),
        (ptx.ShlOp, {"type": "b32"}, (1, 32), 0),
        (ptx.ShrOp, {"type": "s64"}, (1 << 63, 1000), (1 << 64) - 1),
        (ptx.AbsOp, {"type": "f64"}, (0xFFF0000000000001,), 0xFFF0000000000001),
        (
            ptx.RcpOp,
            {"type": "f64", "rounding": "approx", "flush": "ftz"},
            (0x7FF0000000000001,),
            0,
        ),
        (ptx.CvtOp, {"type": "s32", "source": "f32", "rounding": "rzi"}, (0x7FC00000,), 0),
        (ptx.CvtOp, {"type": "s32", "source": "f64", "rounding": "rzi"}, (0x7FF8 << 48,), 1 << 31),
        (
            ptx.CvtOp,
            {"type": "u64", "source": "f32", "rounding": "rzi"},
            (0x7FC00000,),
            1 << 63,
        ),
        (
            ptx.CvtOp,
            {"type": "tf32", "source": "f32", "rounding": "rna"},
            (0x3F801000,),
            0x3F802000,
        ),
        (
            ptx.CvtPackOp,
            {"type": "bf16x2", "source": "f32", "rounding": "rn", "relu": "relu"},
            (0xBF800000, 0x3F818000),
            0x3F82,
        ),
    ],
)
def test_results_by_hand(
    op_type: type[Instruction], qualifiers: Qualifiers, operands: Sequence[int], result: int
) -> None:
    assert _one(op_type, qualifiers, *operands) == result


@pytest.mark.parametrize(("op_type", "function"), CIRCULAR.items())
def test_circular_functions(op_type: type[Instruction], function: Any) -> None:
    values = np.concatenate([np.linspace(-100, 100, 4001), [1e30, 1e-30, 0.0]]).astype(np.float32)
    bits = values.view(np.uint32).tolist()
    for op in instances(op_type):
        (found,) = run(op, [bits])
        error = np.array(found, np.uint32).view(np.float32) - function(values.astype(np.float64))
        assert np.abs(error).max() <= 2.0**-24
        (infinite,) = run(op, [[0x7F800000]])
        assert infinite == [0x7FFFFFFF]


def test_nan_of_f64_keeps_its_payload() -> None:
    signaling = 0x7FF0000000000123
    assert nan_of(LAYOUTS["f64"], [0, signaling]) == 0x7FF8000000000123
    assert _one(ptx.AddOp, {"type": "f64"}, signaling, 0) == 0x7FF8000000000123
