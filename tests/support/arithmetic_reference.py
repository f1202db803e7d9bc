"""Reference of the instructions of 9.7.1 to 9.7.9 in one lane, written from the manual."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from xdsl.ir import SSAValue

from tcgen05_dialect.isa.instructions.table import row
from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.register_types import register_bits

from .bits_reference import of_bits
from .comparison_reference import of_comparison
from .float_reference import LAYOUTS, UPPER, Layout, Number, compute, extremum
from .integer_reference import of_extended_precision, of_integers


def text(op: Instruction, name: str) -> str:
    """A qualifier, empty if it is left out."""
    value: Any = op.properties.get(name)
    return "" if value is None else str(value.data)


def width(value: SSAValue) -> int:
    return register_bits(value.type) or 1


def integer(bits: int, type_: str) -> int:
    size = int(type_[1:])
    bits &= (1 << size) - 1
    return bits - (1 << size) if type_[0] == "s" and bits >> size - 1 else bits


def _cut(value: int, op: Instruction) -> int:
    return value & (1 << width(op.results[0])) - 1


def _integer(name: str, a: int, b: int, c: int) -> int:
    """An operation of integers, of which the low bits are the result."""
    match name:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul" | "mul.wide" | "mul.wide16":
            return a * b
        case "mad" | "mad.wide" | "mad.wide16":
            return a * b + c
        case "div":
            return math.trunc(Fraction(a, b)) if b else -1
        case "rem":
            return a - b * math.trunc(Fraction(a, b)) if b else -1
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "not":
            return ~a
        case "shl":
            return a << min(b, 64)
        case "shr":
            return a >> min(b, 64)
        case "neg":
            return -a
        case "abs":
            return abs(a)
        case "mov":
            return a
        case _:
            raise LookupError(name)


_ORDER = {
    "eq": (0,),
    "ne": (-1, 1),
    **dict.fromkeys(("lt", "lo"), (-1,)),
    **dict.fromkeys(("le", "ls"), (-1, 0)),
    **dict.fromkeys(("gt", "hi"), (1,)),
    **dict.fromkeys(("ge", "hs"), (0, 1)),
}
"""Comparison -> the orders, -1 for less, in which it holds."""


def _holds(comparison: str, a: Number, b: Number) -> bool:
    return (a > b) - (a < b) in _ORDER[comparison]


def _integral(rounding: str, value: Fraction) -> int:
    match rounding:
        case "rni":
            return round(value)
        case "rzi":
            return math.trunc(value)
        case "rmi":
            return math.floor(value)
        case _:
            return math.ceil(value)


_INTEGRAL = ("rni", "rzi", "rmi", "rpi")


def _float(op: Instruction, name: str, layout: Layout, operands: Sequence[int]) -> int:
    """One floating-point number of a result."""
    ftz, rounding = bool(text(op, "flush")), text(op, "rounding") or "rn"
    match name:
        case "min" | "max" | "min3" | "max3":
            product = (operands[0] ^ operands[1]) & layout.sign
            if text(op, "abs") or text(op, "xorsign"):
                operands = [bits & ~layout.sign for bits in operands]
            a, b, *rest = operands
            nan = bool(text(op, "nan"))
            if text(op, "xorsign"):
                chosen = extremum(name, layout, a, b, ftz, nan)
                return chosen if layout.is_nan(chosen) else chosen | product
            chosen = extremum(name[:3], layout, a, b, ftz, nan)
            return extremum(name[:3], layout, chosen, rest[0], ftz, nan) if rest else chosen
        case "neg" | "abs":
            (bits,) = operands
            if layout.is_nan(bits):
                return bits if layout.bits == 64 else layout.nan
            bits = layout.flushed(bits) if ftz else bits
            return bits ^ layout.sign if name == "neg" else bits & ~layout.sign
        case "rcp" if rounding == "approx" and layout.bits == 64:
            upper = [bits >> 32 << 32 for bits in operands]
            return compute(name, UPPER, upper, ftz=True)
        case "rsqrt" if ftz and layout.bits == 64:
            upper = [bits >> 32 << 32 for bits in operands]
            return compute(name, UPPER, upper, ftz=True)
        case "tanh" if abs(layout.number(operands[0])) == math.inf:
            return layout.rounded(Fraction(-1 if layout.negative(operands[0]) else 1), "rn")
        case "div" if rounding == "approx":
            a, b = (layout.flushed(bits) if ftz else bits for bits in operands)
            if abs(layout.number(b)) > 2**126:
                b = b & layout.sign | layout.infinity
            return compute(name, layout, [a, b], ftz=ftz)
        case _:
            nearest = rounding in ("approx", "full")
            bits = compute(name, layout, operands, "rn" if nearest else rounding, ftz)
            return _limited(op, layout, bits)


def _widened(bits: int, half: Layout, layout: Layout) -> int:
    """A half as a wider number, which is exact."""
    number, negative = half.number(bits), half.negative(bits)
    if half.is_nan(bits):
        return layout.nan
    if not isinstance(number, Fraction):
        return layout.infinity | (layout.sign if negative else 0)
    return layout.rounded(number, "rn", negative)


def _limited(op: Instruction, layout: Layout, bits: int) -> int:
    """The bits of a result with .sat and .relu."""
    number = layout.number(bits)
    if text(op, "saturate") and (number != number or layout.negative(bits)):
        return 0
    if text(op, "saturate") and number > 1:
        return layout.rounded(Fraction(1), "rn")
    return 0 if text(op, "relu") and layout.negative(bits) else bits


def _setp(op: Instruction, operands: Sequence[int], type_: str = "") -> int:
    type_, comparison = type_ or text(op, "type"), text(op, "comparison")
    layout = LAYOUTS.get(type_)
    if layout is None:
        return int(_holds(comparison, *(Fraction(integer(bits, type_)) for bits in operands)))
    if text(op, "flush"):
        operands = [layout.flushed(bits) for bits in operands]
    unordered = any(layout.is_nan(bits) for bits in operands)
    if comparison in ("num", "nan"):
        return int(unordered == (comparison == "nan"))
    if unordered:
        return int(comparison not in _ORDER)
    ordered = comparison if comparison in _ORDER else comparison.removesuffix("u")
    return int(_holds(ordered, *(layout.number(bits) for bits in operands)))


def _to_integer(value: Fraction | float, type_: str, rounding: str, from_f64: bool) -> int:
    size = int(type_[1:])
    if value != value:
        return 1 << size - 1 if from_f64 or size == 64 else 0
    low, high = (-(1 << size - 1), (1 << size - 1) - 1) if type_[0] == "s" else (0, (1 << size) - 1)
    if not isinstance(value, Fraction):
        return high if value > 0 else low
    return max(low, min(high, _integral(rounding, value)))


def _cvt(op: Instruction, bits: int) -> int:
    type_, source, rounding = text(op, "type"), text(op, "source"), text(op, "rounding")
    from_, to = LAYOUTS.get(source), LAYOUTS.get(type_)
    ftz, saturated = bool(text(op, "flush")), text(op, "saturate") == "sat"
    value: Fraction | float
    negative = False
    if from_ is None:
        value = Fraction(integer(bits, source))
    else:
        bits = from_.flushed(bits) if ftz and source == "f32" else bits
        value, negative = from_.number(bits), from_.negative(bits)
    if to is None:
        if from_ is not None:
            number = _to_integer(value, type_, rounding, source == "f64")
        elif saturated:
            number = _to_integer(value, type_, "rzi", False)
        else:
            number = int(value)
        return _cut(integer(number, type_), op)
    if isinstance(value, Fraction) and rounding in _INTEGRAL:
        value = Fraction(_integral(rounding, value))
    if saturated:
        value, negative = (Fraction(0), False) if value != value or value < 0 else (value, False)
        value = Fraction(1) if value > 1 else value
    result = _finished(op, to, value, negative, "rn" if rounding in ("", *_INTEGRAL) else rounding)
    return to.flushed(result) if ftz and type_ == "f32" else result


def _finished(
    op: Instruction, to: Layout, value: Fraction | float, negative: bool, rounding: str
) -> int:
    """The bits of a converted number, with .satfinite and .relu."""
    greatest = to.number(to.infinity - (1 << to.zeros))
    if text(op, "saturate") == "satfinite" and abs(value) > greatest:
        value = Fraction(-greatest if negative else greatest)
    if isinstance(value, Fraction):
        result = to.rounded(value, rounding, negative)
    else:
        result = to.special(value)
    return 0 if text(op, "relu") and to.negative(result) else result


def _half(op: Instruction, to: Layout, bits: int) -> int:
    """One half of the result of cvt.pack."""
    single = LAYOUTS["f32"]
    value, negative = single.number(bits), single.negative(bits)
    return _finished(op, to, value, negative, text(op, "rounding"))


_OF_BITS = frozenset(
    (
        *("bfe", "bfi", "bfind", "brev", "clz", "dp4a", "lop3", "lop3.predicate"),
        *("popc", "prmt", "shf", "vabsdiff2", "vabsdiff2.add", "vabsdiff4", "vabsdiff4.add"),
    )
)
_OF_INTEGERS = frozenset(
    (
        *("add.packed", "add.sat", "bmsk", "cnot", "dp2a", "fns", "mad.hi", "mad.hi.sat", "mad24"),
        *("mad24.sat", "max.packed", "max.relu", "min.packed", "min.relu", "mul24", "sad"),
        *("sub.sat", "szext"),
    )
)
_OF_COMPARISONS = frozenset(
    ("copysign", "set", "set_combined", "setp_combined", "setp_pair", "slct", "testp")
)
"""The instructions of other references."""


def expected(op: Instruction, operands: Sequence[int]) -> list[int]:
    """What the manual says the results are, in one lane."""
    name, type_ = op.name.removeprefix("ptx."), text(op, "type")
    base, section = type_.removesuffix("x2"), row(name).section
    if name in _OF_BITS:
        found = _cut(of_bits(op, operands), op)
        if isinstance(op, instructions.Lop3PredicateOp):
            holds = {int(found != 0), operands[3]}
            return [found, max(holds) if text(op, "operation") == "or" else min(holds)]
        return [found]
    if name in _OF_INTEGERS:
        return [_cut(of_integers(op, operands), op)]
    if section.startswith("9.7.2."):
        return of_extended_precision(op, operands)
    if name in _OF_COMPARISONS:
        return of_comparison(op, operands, _setp)
    if name.endswith(".mixed"):
        half, layout = LAYOUTS[text(op, "source")], LAYOUTS[type_]
        wide = [_widened(bits, half, layout) for bits in operands[:-1]]
        rounding = text(op, "rounding") or "rn"
        bits = compute(name.partition(".")[0], layout, [*wide, operands[-1]], rounding)
        return [_limited(op, layout, bits)]
    match op:
        case ptx.MovOp():
            return [operands[0]]
        case ptx.CvtOp() | ptx.CvtByteOp():
            return [_cvt(op, operands[0])]
        case ptx.CvtPackOp():
            halves = [_half(op, LAYOUTS[base], bits) for bits in operands]
            return [halves[0] << 16 | halves[1]]
        case ptx.PackOp():
            size = width(op.operands[0])
            return [sum(part << size * place for place, part in enumerate(operands))]
        case ptx.UnpackOp():
            size = width(op.results[0])
            parts = range(len(op.results))
            return [operands[0] >> size * place & (1 << size) - 1 for place in parts]
        case ptx.SetpOp():
            return [_setp(op, operands)]
        case ptx.SelpOp():
            return [operands[0] if operands[2] else operands[1]]
        case ptx.MulOp() if text(op, "half") == "hi":
            a, b = (integer(bits, type_) for bits in operands)
            return [_cut(a * b >> int(type_[1:]), op)]
        case ptx.ShlOp() | ptx.ShrOp():
            return [_cut(_integer(name, integer(operands[0], type_), operands[1], 0), op)]
        case _ if base in LAYOUTS:
            layout = LAYOUTS[base]
            size, whole = layout.bits, width(op.results[0])
            parts = (
                [bits >> s & (1 << size) - 1 for bits in operands] for s in range(0, whole, size)
            )
            results = [_float(op, name, layout, part) for part in parts]
            return [sum(bits << size * place for place, bits in enumerate(results))]
        case _:
            type_ = "u1" if type_ == "pred" else type_
            numbers = [integer(bits, type_) for bits in operands[:2]] + list(operands[2:])
            a, b, c = (*numbers, 0, 0)[:3]
            return [_cut(_integer(name, a, b, c), op)]
