"""Reference of the instructions on bits and bytes, written from the pseudo code of the manual."""

from collections.abc import Sequence
from typing import Any

from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import Instruction

_F4E = ("3210", "4321", "5432", "6543")
_B4E = ("5670", "6701", "7012", "0123")
_RC8 = ("0000", "1111", "2222", "3333")
_ECL = ("3210", "3211", "3222", "3333")
_ECR = ("0000", "1110", "2210", "3210")
_RC16 = ("1010", "3232", "1010", "3232")
_MODES = {"f4e": _F4E, "b4e": _B4E, "rc8": _RC8, "ecl": _ECL, "ecr": _ECR, "rc16": _RC16}
"""Mode of prmt -> the bytes for each value of the selector, as the table of the manual has them."""


def _field(op: ptx.BfeOp, a: int, position: int, length: int) -> int:
    width = int(op.type.data[1:])
    top, first, count = width - 1, position & 0xFF, length & 0xFF
    is_signed = op.type.data[0] == "s" and count > 0
    sign = a >> min(first + count - 1, top) & 1 if is_signed else 0
    result = 0
    for place in range(width):
        inside = place < count and first + place <= top
        result |= (a >> first + place & 1 if inside else sign) << place
    return result


def _inserted(op: ptx.BfiOp, a: int, b: int, position: int, length: int) -> int:
    top, first, count = int(op.type.data[1:]) - 1, position & 0xFF, length & 0xFF
    result = b
    for place in range(count):
        if first + place <= top:
            result = result & ~(1 << first + place) | (a >> place & 1) << first + place
    return result


def _permuted(op: ptx.PrmtOp, a: int, b: int, selector: int) -> int:
    parts = [(b << 32 | a) >> 8 * index & 0xFF for index in range(8)]
    if op.mode is not None:
        digits = _MODES[op.mode.data][selector & 3]
        return sum(parts[int(d)] << 8 * place for place, d in enumerate(reversed(digits)))
    result = 0
    for place in range(4):
        digit = selector >> 4 * place & 0xF
        byte = parts[digit & 7]
        if digit & 8:
            byte = 0xFF if byte & 0x80 else 0
        result |= byte << 8 * place
    return result


def _highest(op: ptx.BfindOp, a: int) -> int:
    width, signed = int(op.type.data[1:]), op.type.data[0] == "s"
    if signed and a >> width - 1:
        a = ~a & (1 << width) - 1
    for place in reversed(range(width)):
        if a >> place & 1:
            return width - 1 - place if op.shift_amount is not None else place
    return 0xFFFFFFFF


def _funnel(op: ptx.ShfOp, a: int, b: int, c: int) -> int:
    n = c & 31 if op.mode.data == "wrap" else min(c, 32)
    if op.direction.data == "l":
        return b << n | a >> 32 - n
    return b << 32 - n | a >> n


def _part(count: int, word: int, index: int, type_: str) -> int:
    """A half or byte of a word."""
    bits = 32 // count
    part = word >> bits * index & (1 << bits) - 1
    return part - (1 << bits) if type_ == "s32" and part >> bits - 1 else part


def of_bits(op: Instruction, operands: Sequence[int]) -> int:
    """The result in one lane; only its low bits count."""
    given: Any = operands
    match op:
        case ptx.BfeOp():
            return _field(op, *given)
        case ptx.BfiOp():
            return _inserted(op, *given)
        case ptx.PrmtOp():
            return _permuted(op, *given)
        case ptx.PopcOp():
            return operands[0].bit_count()
        case ptx.ClzOp():
            return int(op.type.data[1:]) - operands[0].bit_length()
        case ptx.BfindOp():
            return _highest(op, *given)
        case ptx.BrevOp():
            width = int(op.type.data[1:])
            return int(f"{operands[0]:0{width}b}"[::-1], 2)
        case ptx.ShfOp():
            return _funnel(op, *given)
        case ptx.Lop3Op() | ptx.Lop3PredicateOp():
            a, b, c = operands[:3]
            table = op.table.value.data
            places = [(a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1 for i in range(32)]
            return sum((table >> place & 1) << i for i, place in enumerate(places))
        case ptx.Dp4aOp():
            a, b, c = operands
            types = op.a_type.data, op.b_type.data
            return c + sum(_part(4, a, i, types[0]) * _part(4, b, i, types[1]) for i in range(4))
        case ptx.Vabsdiff4AddOp() | ptx.Vabsdiff2AddOp() | ptx.Vabsdiff4Op() | ptx.Vabsdiff2Op():
            a, b, c = operands
            count = 2 if isinstance(op, ptx.Vabsdiff2AddOp | ptx.Vabsdiff2Op) else 4
            bits = 32 // count
            parts = [
                abs(_part(count, a, i, op.a_type.data) - _part(count, b, i, op.b_type.data))
                for i in range(count)
            ]
            if isinstance(op, ptx.Vabsdiff4AddOp | ptx.Vabsdiff2AddOp):
                return c + sum(parts)
            most = (1 << bits - (op.type.data == "s32")) - 1
            if op.saturate is not None:
                parts = [min(part, most) for part in parts]
            return sum((part & (1 << bits) - 1) << bits * i for i, part in enumerate(parts))
        case _:
            raise LookupError(op.name)
