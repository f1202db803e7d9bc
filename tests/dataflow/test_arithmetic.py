"""Tests that what is known of a result holds for the result, by an independent reference."""

import random
from collections.abc import Sequence

import pytest
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.utils.test_value import create_ssa_value

from tcgen05_dialect.dataflow.numbers import (
    Number,
    anything,
    computed,
    constant,
    limited,
    one_of,
    width_of,
)
from tcgen05_dialect.isa.instructions.meaning import MEANINGS, WHOLE
from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx.analysis.values import source_type
from tcgen05_dialect.ptx.definition import operation
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of

from ..simulator.test_arithmetic import instances
from ..support.arithmetic_reference import expected, text

OPERATIONS = [operation(name) for name in (*MEANINGS, "cvt", "pack", "unpack")]
ROUNDS = 40


def _numbers(width: int, rng: random.Random) -> tuple[Number, int]:
    """Some facts about a register, and a value for which they hold."""
    mask = (1 << width) - 1
    value = rng.getrandbits(width) >> rng.choice((0, 0, width // 2, width - min(width, 4)))
    match rng.randrange(5):
        case 0:
            return constant(value, width), value
        case 1:
            others = [rng.getrandbits(width) for _ in range(rng.randrange(4))]
            return one_of([value, *others], width), value
        case 2:
            known = rng.getrandbits(width) | rng.getrandbits(width)
            return limited(width, value & known, ~value & known), value
        case 3:
            spread = rng.choice((3, 100, 1 << width // 2))
            low, high = max(0, value - rng.randrange(spread)), value + rng.randrange(spread)
            return limited(width, low=low, high=min(mask, high)), value
        case _:
            return limited(width), value


def _is_whole(op: Instruction) -> bool:
    type_ = source_type(op)
    to_whole = not isinstance(op, instructions.CvtOp) or text(op, "type")[0] in "us"
    return (
        type_ in {*WHOLE, "pred", "", "u8", "s8"} or isinstance(op, instructions.PackOp)
    ) and to_whole


def _operands(op: Instruction, rng: random.Random) -> Sequence[tuple[Number, int]]:
    made = [_numbers(width_of(value), rng) for value in op.operands]
    for index, name in enumerate(syntax_of(type(op)).operand_names):
        if name in ("amount", "position", "length") and rng.random() < 0.8:
            amount = rng.randrange(70)
            made[index] = constant(amount, 32), amount
    return made


@pytest.mark.slow
@pytest.mark.parametrize("op_type", OPERATIONS, ids=lambda each: each.name)
def test_results_have_what_is_known_of_them(op_type: type[Instruction]) -> None:
    rng = random.Random(op_type.name)
    forms = [each for each in instances(op_type) if _is_whole(each)]
    forms = rng.sample(forms, min(len(forms), ROUNDS))
    assert forms
    for op in forms:
        for _ in range(max(3, ROUNDS // len(forms))):
            operands = _operands(op, rng)
            known = computed(op, [number for number, _ in operands])
            for number, bits in zip(
                known, expected(op, [bits for _, bits in operands]), strict=True
            ):
                assert number.has(bits), (op, operands, number, bits)


@pytest.mark.parametrize("op_type", OPERATIONS, ids=lambda each: each.name)
def test_results_of_constants_are_constant(op_type: type[Instruction]) -> None:
    rng = random.Random(op_type.name)
    forms = instances(op_type)
    for op in rng.sample(forms, min(len(forms), ROUNDS)):
        if not _is_whole(op) or isinstance(op, instructions.DivOp | instructions.RemOp):
            continue
        values = [value for _, value in _operands(op, rng)]
        numbers = [
            constant(value, width_of(operand))
            for value, operand in zip(values, op.operands, strict=True)
        ]
        found = [number.constant for number in computed(op, numbers)]
        if None not in found:
            assert found == expected(op, values), op


def test_each_of_several_results_is_known() -> None:
    """Also of an instruction of which nothing is known."""
    op_type = instructions.ClusterlaunchcontrolFirstCtaVectorOp
    response = create_ssa_value(IntegerType(128))
    op = op_type.create(operands=[response], result_types=[i32] * 4)
    assert computed(op, [anything(128)]) == [anything(32)] * 4
