"""Comparisons and selection, tests and signs of floats (9.7.3, 9.7.6, 9.7.7)."""

from __future__ import annotations

from tcgen05_dialect.isa.instructions.arithmetic import BITS, INTEGERS, SIGNED, UNSIGNED
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

_FLUSH = (None, "ftz")
_EQUALITY = ("eq", "ne")
_ORDER = ("lt", "le", "gt", "ge")
_UNSIGNED_ORDER = ("lo", "ls", "hi", "hs")
_UNORDERED = ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
_FLOAT_COMPARISONS = (*_EQUALITY, *_ORDER, *_UNORDERED)
_COMPARED = ("type", "comparison", "flush")
_NUMBERS = (
    (BITS, _EQUALITY, None),
    (SIGNED, (*_EQUALITY, *_ORDER), None),
    (UNSIGNED, (*_EQUALITY, *_ORDER, *_UNSIGNED_ORDER), None),
    ("f32", _FLOAT_COMPARISONS, _FLUSH),
    ("f64", _FLOAT_COMPARISONS, None),
)
"""Rows of types, comparisons and flushes."""
_HALVES = (("f16", _FLOAT_COMPARISONS, _FLUSH), ("bf16", _FLOAT_COMPARISONS, None))
SETP = Table(
    "setp",
    "9.7.6.2, 9.7.7.2",
    _COMPARED,
    (*_NUMBERS, *_HALVES),
    rule("T5-PTX-013"),
)
SELP_TYPES = (*BITS, *INTEGERS, "f32", "f64")

COMBINATIONS = ("and", "or", "xor")
_PAIRS = (("f16x2", _FLOAT_COMPARISONS, _FLUSH), ("bf16x2", _FLOAT_COMPARISONS, None))
SETP_PAIR = Table(
    "setp with two results",
    "9.7.6.2, 9.7.7.2",
    ("type", "comparison", "flush", "combination", "predicate"),
    tuple(
        (*row, combination, count)
        for row in (*_NUMBERS, *_PAIRS)
        for combination, count in ((None, 0), (COMBINATIONS, 1))
    ),
    rule("T5-PTX-143"),
)
_RESULTS = ("u32", "s32", "f32", "f16")
SET = Table(
    "set",
    "9.7.6.1, 9.7.7.1",
    ("type", "source", "comparison", "flush"),
    (
        *((_RESULTS, *row) for row in _NUMBERS),
        *(("bf16", *row, None) for *row, _ in _NUMBERS),
        (("f16", "u16", "s16", "u32", "s32"), "f16", _FLOAT_COMPARISONS, _FLUSH),
        (("bf16", "u16", "s16", "u32", "s32"), "bf16", _FLOAT_COMPARISONS, None),
        (("f16x2", "u32", "s32"), "f16x2", _FLOAT_COMPARISONS, _FLUSH),
        (("bf16x2", "u32", "s32"), "bf16x2", _FLOAT_COMPARISONS, None),
    ),
    rule("T5-PTX-144"),
)
SLCT = Table(
    "slct",
    "9.7.6.4",
    ("type", "source", "flush"),
    ((SELP_TYPES, "s32", None), (SELP_TYPES, "f32", _FLUSH)),
    rule("T5-PTX-145"),
)
TESTS = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")

INSTRUCTIONS = r"""
testp | testp.$test.$type %d, %a | 9.7.3.1 | test TESTS; type f32 f64; d PRED | pure
    | Whether `a` is a number of a class.
copysign | copysign.$type %d, %a, %b | 9.7.3.2 | type f32 f64 | pure | `b` with the sign of `a`.
set | set.$comparison.$flush.$type.$source %d, %a, %b | 9.7.6.1, 9.7.7.1
    | SET; a b REGISTER of source | pure
    | All ones, or 1 as a float, if the comparison of `a` with `b` is true; else zero.
set_combined | set.$comparison.$combination.$flush.$type.$source %d, %a, %b, %c | 9.7.6.1, 9.7.7.1
    | SET; combination COMBINATIONS; a b REGISTER of source; c PRED | pure
    | All ones, or 1 as a float, if the comparison of `a` with `b`, combined with `c`, is true;
      else zero. Of packed numbers each comparison is combined with `c`.
setp | setp.$comparison.$flush.$type %d, %a, %b | 9.7.6.2, 9.7.7.2 | SETP; d PRED | pure
    | A predicate that holds if the comparison of `a` with `b` is true.
setp_pair | setp.$comparison.$combination.$flush.$type %d|%other, %a, %b?predicate(, %predicate)
      / other_result: setp.$comparison.$combination.$flush.$type _|%other, %a, %b?predicate(, %predicate)
      / first_result: setp.$comparison.$combination.$flush.$type %d|_, %a, %b?predicate(, %predicate)
    | 9.7.6.2, 9.7.7.2 | SETP_PAIR; d other predicate PRED | pure
    | `d` holds if the comparison of `a` with `b` is true, and `other` holds if it is false. For
      packed numbers, `d` compares the lower halves and `other` the upper halves. Both are
      combined with `predicate` if it is given.
setp_combined | setp.$comparison.$combination.$flush.$type %d, %a, %b, %c | 9.7.6.2, 9.7.7.2
    | SETP; combination COMBINATIONS; d c PRED | pure
    | The comparison of `a` with `b`, combined with `c`.
selp | selp.$type %d, %a, %b, %condition | 9.7.6.3 | type SELP_TYPES; condition PRED | pure
    | `a` if `condition` holds, else `b`.
slct | slct.$flush.$type.$source %d, %a, %b, %c | 9.7.6.4 | SLCT; c REGISTER of source | pure
    | `a` if `c` is at least zero, else `b`.
"""
