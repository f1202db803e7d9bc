"""Reference of less usual and of extended-precision arithmetic of integers, written from the
pseudo code of the manual."""

from collections.abc import Sequence
from typing import Any

from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import Instruction


def _number(bits: int, type_: str, size: int = 0) -> int:
    size = size or int(type_[1:])
    bits &= (1 << size) - 1
    return bits - (1 << size) if type_[0] == "s" and bits >> size - 1 else bits


def _nth(mask: int, base: int, offset: int) -> int:
    steps = _number(offset, "s32")
    if steps == 0:
        return base if base < 32 and mask >> base & 1 else 0xFFFFFFFF
    place, count = base, abs(steps) - 1
    while 0 <= place < 32:
        if mask >> place & 1:
            if count == 0:
                return place
            count -= 1
        place += 1 if steps > 0 else -1
    return 0xFFFFFFFF


def _limited(op: Any, value: int) -> int:
    size = int(op.type.data[1:])
    return max(-(1 << size - 1), min((1 << size - 1) - 1, value))


def _extended(op: ptx.SzextOp, a: int, length: int) -> int:
    count = length & 31
    if length >= 32 and op.mode.data == "clamp":
        return a
    if op.type.data == "s32" and count:
        return _number(a, "s32", count)
    return a & (1 << count) - 1


def _mask(op: ptx.BmskOp, position: int, length: int) -> int:
    if op.mode.data == "wrap":
        position, length = position & 31, length & 31
    return sum(1 << bit for bit in range(32) if position <= bit < position + length)


def _of_parts(op: Any, operands: Sequence[int]) -> int:
    """An operation on one number, or on both halves of a register."""
    type_: str = op.type.data
    base = type_.removesuffix("x2")
    size, result = int(base[1:]), 0
    for place in range(0, 32, size):
        a, b = (_number(bits >> place, base) for bits in operands)
        match op:
            case ptx.AddPackedOp():
                part = a + b
            case ptx.MinPackedOp():
                part = min(a, b)
            case ptx.MaxPackedOp():
                part = max(a, b)
            case ptx.MinReluOp():
                part = max(0, min(a, b))
            case _:
                part = max(0, a, b)
        result |= (part & (1 << size) - 1) << place
    return result


def of_integers(op: Instruction, operands: Sequence[int]) -> int:
    """The result in one lane; only its low bits count."""
    match op:
        case ptx.SadOp():
            a, b, c = (_number(bits, op.type.data) for bits in operands)
            return c + abs(a - b)
        case ptx.MadHiOp():
            a, b, c = (_number(bits, op.type.data) for bits in operands)
            return (a * b >> int(op.type.data[1:])) + c
        case ptx.Mul24Op() | ptx.Mad24Op():
            a, b = (_number(bits, op.type.data, 24) for bits in operands[:2])
            return (a * b >> (16 if op.half.data == "hi" else 0)) + sum(operands[2:])
        case ptx.Dp2aOp():
            a, b, c = operands
            first = 0 if op.half.data == "lo" else 2
            return c + sum(
                _number(a >> 16 * i, op.a_type.data, 16)
                * _number(b >> 8 * (first + i), op.b_type.data, 8)
                for i in range(2)
            )
        case ptx.FnsOp():
            mask, base, offset = operands
            return _nth(mask, base, offset)
        case ptx.CnotOp():
            return int(operands[0] == 0)
        case ptx.AddSatOp():
            a, b = (_number(bits, op.type.data) for bits in operands)
            return _limited(op, a + b)
        case ptx.SubSatOp():
            a, b = (_number(bits, op.type.data) for bits in operands)
            return _limited(op, a - b)
        case ptx.MadHiSatOp():
            a, b, c = (_number(bits, op.type.data) for bits in operands)
            return _limited(op, (a * b >> 32) + c)
        case ptx.Mad24SatOp():
            a, b = (_number(bits, op.type.data, 24) for bits in operands[:2])
            return _limited(op, (a * b >> 16) + _number(operands[2], op.type.data))
        case ptx.SzextOp():
            return _extended(op, *operands)
        case ptx.BmskOp():
            return _mask(op, *operands)
        case _:
            return _of_parts(op, operands)


def of_extended_precision(op: Any, operands: Sequence[int]) -> list[int]:
    """The result in one lane and, if there is one, the carry or borrow."""
    size = int(op.type.data[1:])
    mask = (1 << size) - 1
    carries_in = op.name.split(".")[1] in ("addc", "subc", "madc")
    *numbers, last = operands if carries_in else (*operands, 0)
    if "half" in op.properties:
        a, b, c = numbers
        product = _number(a, op.type.data) * _number(b, op.type.data)
        numbers = [(product >> (size if op.half.data == "hi" else 0)) & mask, c]
    sign = -1 if op.name.startswith("ptx.sub") else 1
    whole = numbers[0] + sign * (numbers[1] + last)
    return [whole & mask, int(not 0 <= whole <= mask)][: len(op.results)]
