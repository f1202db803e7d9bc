"""multimem.ld_reduce, multimem.st and multimem.red: types and qualifiers (9.7.9.14)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.ptx.memory import SCOPES

MULTIMEM = "9.7.9.14"
SCOPE = "sys"
"""The scope of multimem.red without a qualifier."""
_INTEGERS = ("b32", "u32", "s32", "b64", "u64", "s64")
_HALVES = ("f16", "bf16")
_PAIRS = ("f16x2", "bf16x2")
_EIGHTHS = ("e4m3x2", "e5m2x2")
_QUARTERS = ("e4m3x4", "e5m2x4")
_VALUES = (
    ((*_INTEGERS, "f64"), 1),
    ("f32", (1, 2, 4)),
    (_HALVES, (2, 4, 8)),
    (_PAIRS, (1, 2, 4)),
)
_NARROW_VALUES = ((_EIGHTHS, (2, 4, 8)), (_QUARTERS, (1, 2, 4)))


def _values(id: str, name: str, rows: tuple[tuple[object, object], ...]) -> Table:
    return Table(
        name,
        MULTIMEM,
        ("type", "values"),
        rows,
        rule(id),
    )


LD_VALUES = _values("T5-PTX-240", "multimem.ld_reduce", (*_VALUES, *_NARROW_VALUES))
ST_VALUES = _values("T5-PTX-241", "multimem.st", (*_VALUES, *_NARROW_VALUES))
RED_VALUES = _values("T5-PTX-242", "multimem.red", _VALUES)


def _semantics(id: str, name: str, weak: tuple[str, ...], strong: tuple[str, ...]) -> Table:
    return Table(
        name,
        MULTIMEM,
        ("semantics", "scope"),
        (((None, *weak), None), (strong, SCOPES)),
        rule(id),
    )


LD_SEMANTICS = _semantics("T5-PTX-243", "multimem.ld_reduce", ("weak",), ("relaxed", "acquire"))
ST_SEMANTICS = _semantics("T5-PTX-244", "multimem.st", ("weak",), ("relaxed", "release"))
RED_SEMANTICS = _semantics("T5-PTX-245", "multimem.red", (), ("relaxed", "release"))
_ON_INTEGERS = (
    ("add", ("u32", "s32", "u64"), None),
    (("min", "max"), ("u32", "s32", "u64", "s64"), None),
    (("and", "or", "xor"), ("b32", "b64"), None),
)
LD_OPERATIONS = Table(
    "operation of multimem.ld_reduce",
    MULTIMEM,
    ("operation", "type", "accumulator"),
    (
        *_ON_INTEGERS,
        ("add", ("f32", "f64"), None),
        ("add", (*_HALVES, *_PAIRS), (None, "acc::f32")),
        ("add", (*_EIGHTHS, *_QUARTERS), (None, "acc::f16")),
        (("min", "max"), (*_HALVES, *_PAIRS, *_EIGHTHS, *_QUARTERS), None),
    ),
    rule("T5-PTX-246"),
)
RED_OPERATIONS = Table(
    "operation of multimem.red",
    MULTIMEM,
    ("operation", "type"),
    (
        *((operation, type_) for operation, type_, _ in _ON_INTEGERS),
        ("add", ("f32", "f64", *_HALVES, *_PAIRS)),
    ),
    rule("T5-PTX-247"),
)
