"""Comparisons with more than a predicate (9.7.6, 9.7.7, 9.7.3.1, 9.7.3.2): types and qualifiers."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.ptx.arithmetic import (
    COMPARED_NUMBERS,
    FLOAT_COMPARISONS,
    SELP_TYPES,
)

COMBINATIONS = ("and", "or", "xor")
_PAIRS = (("f16x2", FLOAT_COMPARISONS, (None, "ftz")), ("bf16x2", FLOAT_COMPARISONS, None))
SETP_PAIR = Table(
    "setp with two results",
    "9.7.6.2, 9.7.7.2",
    ("type", "comparison", "flush", "combination", "predicate"),
    tuple(
        (*row, combination, count)
        for row in (*COMPARED_NUMBERS, *_PAIRS)
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
        *((_RESULTS, *row) for row in COMPARED_NUMBERS),
        *(("bf16", *row, None) for *row, _ in COMPARED_NUMBERS),
        (("f16", "u16", "s16", "u32", "s32"), "f16", FLOAT_COMPARISONS, (None, "ftz")),
        (("bf16", "u16", "s16", "u32", "s32"), "bf16", FLOAT_COMPARISONS, None),
        (("f16x2", "u32", "s32"), "f16x2", FLOAT_COMPARISONS, (None, "ftz")),
        (("bf16x2", "u32", "s32"), "bf16x2", FLOAT_COMPARISONS, None),
    ),
    rule("T5-PTX-144"),
)
SLCT = Table(
    "slct",
    "9.7.6.4",
    ("type", "source", "flush"),
    ((SELP_TYPES, "s32", None), (SELP_TYPES, "f32", (None, "ftz"))),
    rule("T5-PTX-145"),
)
TESTS = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")
TESTED_TYPES = ("f32", "f64")
