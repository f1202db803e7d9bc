"""Types and qualifiers of the arithmetic, logic, comparison and selection instructions (9.7.1 to
9.7.8).

`None` in a column means that the qualifier is absent."""

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
_XORSIGN = (None, "xorsign")
_EXTREMA = (
    (INTEGERS, None, None, None),
    ((*_F16, "f32"), _FLUSH, _NAN, _XORSIGN),
    (_BF16, None, _NAN, _XORSIGN),
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

_EQUALITY = ("eq", "ne")
_ORDER = ("lt", "le", "gt", "ge")
_UNSIGNED_ORDER = ("lo", "ls", "hi", "hs")
_UNORDERED = ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
FLOAT_COMPARISONS = (*_EQUALITY, *_ORDER, *_UNORDERED)
_COMPARED = ("type", "comparison", "flush")
COMPARED_NUMBERS = (
    (BITS, _EQUALITY, None),
    (SIGNED, (*_EQUALITY, *_ORDER), None),
    (UNSIGNED, (*_EQUALITY, *_ORDER, *_UNSIGNED_ORDER), None),
    ("f32", FLOAT_COMPARISONS, _FLUSH),
    ("f64", FLOAT_COMPARISONS, None),
)
"""Rows of types, comparisons and flushes."""
COMPARED_HALVES = (("f16", FLOAT_COMPARISONS, _FLUSH), ("bf16", FLOAT_COMPARISONS, None))
SETP = _table(
    "T5-PTX-013",
    "setp",
    "9.7.6.2, 9.7.7.2",
    _COMPARED,
    (*COMPARED_NUMBERS, *COMPARED_HALVES),
)
SELP_TYPES = (*BITS, *INTEGERS, "f32", "f64")
SHR_TYPES = (*BITS, *INTEGERS)
WIDE_TYPES = ("u32", "s32")
"""Types of the 32-bit factors of mul.wide and mad.wide."""
NARROW_WIDE_TYPES = ("u16", "s16")
"""Types of the 16-bit factors of mul.wide and mad.wide."""
LOGIC_TYPES = ("pred", *BITS)
MOV_TYPES = (*LOGIC_TYPES, *INTEGERS, "f32", "f64", "b128")
