"""Arithmetic (9.7.1 to 9.7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

SIGNED = ("s16", "s32", "s64")
UNSIGNED = ("u16", "u32", "u64")
INTEGERS = (*UNSIGNED, *SIGNED)
BITS = ("b16", "b32", "b64")
NO_IMMEDIATE = frozenset(("f16", "bf16", "f16x2", "bf16x2", "f32x2", "u16x2", "s16x2"))
"""Types whose operands must be registers, because there are no constants of these types (4.5.2)."""

ROUNDINGS = ("rn", "rz", "rm", "rp")
_OPTIONAL_ROUNDINGS = (None, *ROUNDINGS)
_OPTIONAL_RN = (None, "rn")
_FLUSH = (None, "ftz")
_NAN = (None, "NaN")
_F16 = ("f16", "f16x2")
_BF16 = ("bf16", "bf16x2")


def _table(
    id: str,
    name: str,
    section: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
) -> Table:
    return Table(
        name,
        section,
        columns,
        rows,
        rule(id),
    )


_ROUNDED = ("type", "rounding", "flush")
_SATURATED = (*_ROUNDED, "saturate")
_SATURATE = (None, "sat")
_SUMS = (
    (INTEGERS, None, None, None),
    (_F16, _OPTIONAL_RN, _FLUSH, _SATURATE),
    (_BF16, _OPTIONAL_RN, None, None),
    ("f32", _OPTIONAL_ROUNDINGS, _FLUSH, _SATURATE),
    ("f32x2", _OPTIONAL_ROUNDINGS, _FLUSH, None),
    ("f64", _OPTIONAL_ROUNDINGS, None, None),
)
ADD = _table("T5-PTX-001", "add", "9.7.1.1, 9.7.3.3, 9.7.4.1", _SATURATED, _SUMS)
SUB = _table("T5-PTX-002", "sub", "9.7.1.2, 9.7.3.4, 9.7.4.2", _SATURATED, _SUMS)
MUL = _table(
    "T5-PTX-003",
    "mul",
    "9.7.1.3, 9.7.3.5, 9.7.4.3",
    ("type", "half", "rounding", "flush", "saturate"),
    (
        (INTEGERS, ("lo", "hi"), None, None, None),
        *((type_, None, *others) for type_, *others in _SUMS[1:]),
    ),
)
FMA = _table(
    "T5-PTX-004",
    "fma",
    "9.7.3.6, 9.7.4.4",
    (*_SATURATED, "relu"),
    (
        (_F16, "rn", _FLUSH, _SATURATE, None),
        (_F16, "rn", _FLUSH, None, "relu"),
        (_BF16, "rn", None, None, (None, "relu")),
        ("f32", ROUNDINGS, _FLUSH, _SATURATE, None),
        ("f32x2", ROUNDINGS, _FLUSH, None, None),
        ("f64", ROUNDINGS, None, None, None),
    ),
)
MAD_OF_FLOATS = Table(
    "mad of floats",
    "9.7.3.7",
    ("spelling", "type"),
    ((None, FMA.values("type")), ("mad", ("f32", "f64"))),
    rule("T5-PTX-172"),
)
DIV = _table(
    "T5-PTX-005",
    "div",
    "9.7.1.8, 9.7.3.8",
    _ROUNDED,
    (
        (INTEGERS, None, None),
        ("f32", ("approx", "full", *ROUNDINGS), _FLUSH),
        ("f64", ROUNDINGS, None),
    ),
)

_EXTREMA_COLUMNS = ("type", "flush", "nan", "xorsign")
XORSIGN = {"xorsign": ".xorsign.abs"}
"""The qualifier of minima and maxima in IR -> its text in PTX."""
_EXTREMA = (
    (INTEGERS, None, None, None),
    ((*_F16, "f32"), _FLUSH, _NAN, (None, *XORSIGN)),
    (_BF16, None, _NAN, (None, *XORSIGN)),
    ("f64", None, None, None),
)
MIN = _table("T5-PTX-006", "min", "9.7.1.12, 9.7.3.11, 9.7.4.7", _EXTREMA_COLUMNS, _EXTREMA)
MAX = _table("T5-PTX-007", "max", "9.7.1.13, 9.7.3.12, 9.7.4.8", _EXTREMA_COLUMNS, _EXTREMA)

_FLUSHED = ("type", "flush")
_SIGNS = ((SIGNED, None), ((*_F16, "f32"), _FLUSH), ((*_BF16, "f64"), None))
NEG = _table("T5-PTX-008", "neg", "9.7.1.11, 9.7.3.10, 9.7.4.5", _FLUSHED, _SIGNS)
ABS = _table("T5-PTX-009", "abs", "9.7.1.10, 9.7.3.9, 9.7.4.6", _FLUSHED, _SIGNS)
EX2 = _table(
    "T5-PTX-010",
    "ex2.approx",
    "9.7.3.21, 9.7.4.10",
    _FLUSHED,
    (("f32", _FLUSH), (_F16, None), (_BF16, "ftz")),
)
RCP = _table(
    "T5-PTX-011",
    "rcp",
    "9.7.3.13, 9.7.3.14",
    _ROUNDED,
    (
        ("f32", ("approx", *ROUNDINGS), _FLUSH),
        ("f64", "approx", "ftz"),
        ("f64", ROUNDINGS, None),
    ),
)
SQRT = _table(
    "T5-PTX-012",
    "sqrt",
    "9.7.3.15",
    _ROUNDED,
    (("f32", ("approx", *ROUNDINGS), _FLUSH), ("f64", ROUNDINGS, None)),
)
EXTREMA_OF_THREE = Table(
    "min and max of three numbers",
    "9.7.3.11, 9.7.3.12",
    ("type", "flush", "nan", "abs"),
    (("f32", (None, "ftz"), (None, "NaN"), (None, "abs")),),
    rule("T5-PTX-015"),
)

CONDITION_CODE = "CC.CF"
"""The bit of the condition code register that holds a carry or a borrow; no operand names it."""
_CARRIES_IN = frozenset(("addc", "subc", "madc"))
_SETS = "cc"
CARRY_RULE = rule("T5-PTX-170")


def sets_condition_code(opcode: Sequence[str]) -> bool:
    """Whether an instruction writes the condition code register; `opcode` are the words of its
    name, without dots."""
    return _SETS in opcode


def uses_condition_code(opcode: Sequence[str]) -> bool:
    """Whether an instruction reads or writes the condition code register."""
    return opcode[0] in _CARRIES_IN or sets_condition_code(opcode)


RSQRT = Table(
    "rsqrt.approx",
    "9.7.3.16, 9.7.3.17",
    ("type", "flush"),
    (("f32", (None, "ftz")), ("f64", (None, "ftz"))),
    rule("T5-PTX-146"),
)

INSTRUCTIONS = r"""
add | add.$rounding.$flush.$saturate.$type %d, %a, %b | 9.7.1.1, 9.7.3.3, 9.7.4.1 | ADD | pure
    | `a + b`.
add.sat | add.sat.$type %d, %a, %b | 9.7.1.1 | type s32 | pure
    | The sum, limited to the range of the type.
add.packed | add.$type %d, %a, %b | 9.7.1.1 | type s16x2 u16x2 | pure
    | The sums of both 16-bit integers of two registers.
sub | sub.$rounding.$flush.$saturate.$type %d, %a, %b | 9.7.1.2, 9.7.3.4, 9.7.4.2 | SUB | pure
    | `a - b`.
sub.sat | sub.sat.$type %d, %a, %b | 9.7.1.2 | type s32 | pure
    | The difference, limited to the range of the type.
mul | mul.$half.$rounding.$flush.$saturate.$type %d, %a, %b | 9.7.1.3, 9.7.3.5, 9.7.4.3 | MUL
    | pure | The product of floats, or the low or high half of the product of integers.
mul.wide | mul.wide.$type %d, %a, %b | 9.7.1.3 | type s32 u32; d B64; a b B32 | pure
    | The 64-bit product of two 32-bit integers.
mul.wide16 | mul.wide.$type %d, %a, %b | 9.7.1.3 | type s16 u16; d B32; a b B16 | pure
    | The 32-bit product of two 16-bit integers.
mad | mad.lo.$type %d, %a, %b, %c | 9.7.1.4 | type INTEGERS | pure
    | The low half of `a * b`, plus `c`.
mad.wide | mad.wide.$type %d, %a, %b, %c | 9.7.1.4 | type s32 u32; d c B64; a b B32 | pure
    | The 64-bit product of two 32-bit integers, plus `c`.
mad.hi | mad.hi.$type %d, %a, %b, %c | 9.7.1.4 | type INTEGERS | pure
    | The high half of `a * b`, plus `c`.
mad.hi.sat | mad.hi.sat.$type %d, %a, %b, %c | 9.7.1.4 | type s32 | pure
    | The high half of `a * b`, plus `c`, limited to the range of the type.
mad.wide16 | mad.wide.$type %d, %a, %b, %c | 9.7.1.4 | type s16 u16; d c B32; a b B16 | pure
    | The 32-bit product of two 16-bit integers, plus `c`.
mul24 | mul24.$half.$type %d, %a, %b | 9.7.1.5 | half lo hi; type s32 u32 | pure
    | The low or the high 32 bits of the 48-bit product of the low 24 bits of `a` and `b`.
mad24 | mad24.$half.$type %d, %a, %b, %c | 9.7.1.6 | half lo hi; type s32 u32 | pure
    | The low or the high 32 bits of the product of the low 24 bits of `a` and `b`, plus `c`.
mad24.sat | mad24.hi.sat.$type %d, %a, %b, %c | 9.7.1.6 | type s32 | pure
    | The high 32 bits of the product of the low 24 bits of `a` and `b`, plus `c`, limited to the
      range of the type.
sad | sad.$type %d, %a, %b, %c | 9.7.1.7 | type INTEGERS | pure
    | The absolute value of the difference of `a` and `b`, plus `c`.
div | div.$rounding.$flush.$type %d, %a, %b | 9.7.1.8, 9.7.3.8 | DIV | pure | `a / b`.
rem | rem.$type %d, %a, %b | 9.7.1.9 | type INTEGERS | pure | The remainder of `a / b`.
abs | abs.$flush.$type %d, %a | 9.7.1.10, 9.7.3.9, 9.7.4.6 | ABS | pure
    | The absolute value of `a`.
neg | neg.$flush.$type %d, %a | 9.7.1.11, 9.7.3.10, 9.7.4.5 | NEG | pure | `-a`.
min | min.$flush.$nan.$xorsign.$type %d, %a, %b | 9.7.1.12, 9.7.3.11, 9.7.4.7
    | MIN; xorsign? XORSIGN | pure | The lesser of `a` and `b`.
min.packed | min.$type %d, %a, %b | 9.7.1.12 | type s16x2 u16x2 | pure
    | The lesser of both 16-bit integers of two registers.
min.relu | min.relu.$type %d, %a, %b | 9.7.1.12 | type s16x2 s32 | pure
    | The lesser of two integers, or of both 16-bit integers of two registers, but at least zero.
max | max.$flush.$nan.$xorsign.$type %d, %a, %b | 9.7.1.13, 9.7.3.12, 9.7.4.8
    | MAX; xorsign? XORSIGN | pure | The greater of `a` and `b`.
max.packed | max.$type %d, %a, %b | 9.7.1.13 | type s16x2 u16x2 | pure
    | The greater of both 16-bit integers of two registers.
max.relu | max.relu.$type %d, %a, %b | 9.7.1.13 | type s16x2 s32 | pure
    | The greater of two integers, or of both 16-bit integers of two registers, but at least zero.
add.cc | add.cc.$type %d, %a, %b~carry_out | 9.7.2.1 | type s32 s64 u32 u64; carry_out CARRY
    | pure | `a + b`, with its carry.
addc | addc.$type %d, %a, %b~carry | 9.7.2.2 | type s32 s64 u32 u64; carry CARRY; base CarryIn
    | pure | `a + b + carry`.
addc.cc | addc.cc.$type %d, %a, %b~carry~carry_out | 9.7.2.2
    | type s32 s64 u32 u64; carry carry_out CARRY; base CarryIn | pure
    | `a + b + carry`, with its carry.
sub.cc | sub.cc.$type %d, %a, %b~carry_out | 9.7.2.3 | type s32 s64 u32 u64; carry_out CARRY
    | pure | `a - b`, with its borrow.
subc | subc.$type %d, %a, %b~carry | 9.7.2.4 | type s32 s64 u32 u64; carry CARRY; base CarryIn
    | pure | `a - (b + carry)`, where `carry` is a borrow.
subc.cc | subc.cc.$type %d, %a, %b~carry~carry_out | 9.7.2.4
    | type s32 s64 u32 u64; carry carry_out CARRY; base CarryIn | pure
    | `a - (b + carry)`, with its borrow.
mad.cc | mad.$half.cc.$type %d, %a, %b, %c~carry_out | 9.7.2.5
    | half lo hi; type s32 s64 u32 u64; carry_out CARRY | pure
    | A half of `a * b`, plus `c`, with the carry of the sum.
madc | madc.$half.$type %d, %a, %b, %c~carry | 9.7.2.6
    | half lo hi; type s32 s64 u32 u64; carry CARRY; base CarryIn | pure
    | A half of `a * b`, plus `c + carry`.
madc.cc | madc.$half.cc.$type %d, %a, %b, %c~carry~carry_out | 9.7.2.6
    | half lo hi; type s32 s64 u32 u64; carry carry_out CARRY; base CarryIn | pure
    | A half of `a * b`, plus `c + carry`, with the carry of the sum.
fma | fma.$rounding.$flush.$saturate.$relu.$type %d, %a, %b, %c
      / mad: mad.$rounding.$flush.$saturate.$relu.$type %d, %a, %b, %c
    | 9.7.3.6, 9.7.3.7, 9.7.4.4 | FMA MAD_OF_FLOATS | pure | `a * b + c`, rounded once.
min3 | min.$flush.$nan.$abs.$type %d, %a, %b, %c | 9.7.3.11
    | EXTREMA_OF_THREE; needs extrema_of_three | pure
    | The least of three numbers, or of their absolute values.
max3 | max.$flush.$nan.$abs.$type %d, %a, %b, %c | 9.7.3.12
    | EXTREMA_OF_THREE; needs extrema_of_three | pure
    | The greatest of three numbers, or of their absolute values.
rcp | rcp.$rounding.$flush.$type %d, %a | 9.7.3.13, 9.7.3.14 | RCP | pure | `1 / a`.
sqrt | sqrt.$rounding.$flush.$type %d, %a | 9.7.3.15 | SQRT | pure | The square root of `a`.
rsqrt | rsqrt.approx.$flush.$type %d, %a | 9.7.3.16, 9.7.3.17 | RSQRT | pure
    | The reciprocal of the square root of `a`.
sin | sin.approx.$flush.$type %d, %a | 9.7.3.18 | flush? ftz; type f32 | pure | The sine of `a`.
cos | cos.approx.$flush.$type %d, %a | 9.7.3.19 | flush? ftz; type f32 | pure | The cosine of `a`.
sin.turns | sin.approx.2pi.$flush.$type %d, %a | 9.7.3.18
    | flush ftz; type f32; needs circular_of_turns | pure | The sine of `a` times 2 pi.
cos.turns | cos.approx.2pi.$flush.$type %d, %a | 9.7.3.19
    | flush ftz; type f32; needs circular_of_turns | pure | The cosine of `a` times 2 pi.
lg2 | lg2.approx.$flush.$type %d, %a | 9.7.3.20 | flush? ftz; type f32 | pure
    | The logarithm of `a` to base two.
ex2 | ex2.approx.$flush.$type %d, %a | 9.7.3.21, 9.7.4.10 | EX2 | pure | Two to the power of `a`.
tanh | tanh.approx.$type %d, %a | 9.7.3.22, 9.7.4.9 | type bf16 bf16x2 f32 f16 f16x2 | pure
    | The hyperbolic tangent of `a`.
add.mixed | add.$rounding.$saturate.$type.$source %d, !a, %c | 9.7.5.1
    | rounding? ROUNDINGS; saturate? sat; type f32; source bf16 f16; a REGISTER of source | pure
    | `a + c`, where `a` is a half.
sub.mixed | sub.$rounding.$saturate.$type.$source %d, !a, %c | 9.7.5.2
    | rounding? ROUNDINGS; saturate? sat; type f32; source bf16 f16; a REGISTER of source | pure
    | `a - c`, where `a` is a half.
fma.mixed | fma.$rounding.$saturate.$type.$source %d, !a, !b, %c | 9.7.5.3
    | rounding ROUNDINGS; saturate? sat; type f32; source bf16 f16; a b REGISTER of source | pure
    | `a * b + c`, rounded once, where `a` and `b` are halves.
"""
