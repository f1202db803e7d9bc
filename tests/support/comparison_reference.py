"""Reference of comparisons with more than a predicate, and of tests and signs of floats."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import Instruction

from .float_reference import LAYOUTS

Setp = Callable[[Instruction, Sequence[int], str], int]
_COMBINE: dict[str, Callable[[int, int], int]] = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
}
_ONES = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000}


def _both(op: Any, type_: str, operands: Sequence[int], setp: Setp) -> list[int]:
    if not type_.endswith("x2"):
        holds = setp(op, operands[:2], type_)
        return [holds, 1 - holds]
    return [
        setp(op, [bits >> place & 0xFFFF for bits in operands[:2]], type_[:-2]) for place in (0, 16)
    ]


def _tested(op: ptx.TestpOp, bits: int) -> bool:
    layout = LAYOUTS[op.type.data]
    value = float(layout.number(bits)) if layout.is_nan(bits) else layout.number(bits)
    least = layout.number(1 << layout.fraction)
    match op.test.data:
        case "finite":
            return abs(value) < math.inf
        case "infinite":
            return abs(value) == math.inf
        case "number":
            return value == value
        case "notanumber":
            return value != value
        case "normal":
            return value == 0 or least <= abs(value) < math.inf
        case _:
            return 0 < abs(value) < least


def of_comparison(op: Instruction, operands: Sequence[int], setp: Setp) -> list[int]:
    """The results in one lane."""
    given: Any = op
    match op:
        case ptx.SetpPairOp() | ptx.SetpCombinedOp():
            found = _both(given, given.type.data, operands, setp)
            if given.combination is not None:
                combine = _COMBINE[given.combination.data]
                found = [combine(each, operands[2]) for each in found]
            return found[: len(op.results)]
        case ptx.SetOp() | ptx.SetCombinedOp():
            type_, source = op.type.data, op.source.data
            both = _both(given, source, operands, setp)
            if isinstance(op, ptx.SetCombinedOp):
                combine = _COMBINE[op.combination.data]
                both = [combine(each, operands[2]) for each in both]
            if source.endswith("x2"):
                one = _ONES.get(type_.removesuffix("x2"), 0xFFFF)
                return [both[0] * one | both[1] * one << 16]
            one = _ONES.get(type_, (1 << int(type_[1:]) if type_ not in _ONES else 1) - 1)
            return [both[0] * one]
        case ptx.SlctOp():
            a, b, c = operands
            if op.source.data == "s32":
                return [b if c >> 31 else a]
            number = LAYOUTS["f32"].number(LAYOUTS["f32"].flushed(c) if op.flush else c)
            return [a if number >= 0 else b]
        case ptx.TestpOp():
            return [int(_tested(op, operands[0]))]
        case _:
            sign = LAYOUTS[given.type.data].sign
            return [operands[0] & sign | operands[1] & ~sign]
