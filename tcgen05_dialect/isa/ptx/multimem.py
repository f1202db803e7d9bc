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
        rule(
            id,
            MULTIMEM,
            subject=f"registers of {name}",
            statement=(
                f"{name} has one register of an integer type, and 32, 64 or 128 bits of a "
                "floating-point type."
            ),
            why="The instruction has no other forms; ptxas refuses them.",
            fix="use a vector of a legal size",
        ),
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
        rule(
            id,
            MULTIMEM,
            subject=f"qualifiers of {name}",
            statement=f"{name} has a scope if and only if it has semantics that are not weak.",
            why="The instruction has no other forms; ptxas refuses them.",
            fix="give a scope if and only if the access is not weak",
        ),
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
    rule(
        "T5-PTX-246",
        MULTIMEM,
        subject="operation of multimem.ld_reduce",
        statement="The operation of multimem.ld_reduce determines its types and accumulators.",
        why="The instruction has no other forms; ptxas refuses them.",
        fix="use a type and an accumulator that the operation allows",
    ),
)
RED_OPERATIONS = Table(
    "operation of multimem.red",
    MULTIMEM,
    ("operation", "type"),
    (
        *((operation, type_) for operation, type_, _ in _ON_INTEGERS),
        ("add", ("f32", "f64", *_HALVES, *_PAIRS)),
    ),
    rule(
        "T5-PTX-247",
        MULTIMEM,
        subject="operation of multimem.red",
        statement=(
            "The operation of multimem.red determines its legal types; only add takes "
            "floating-point types."
        ),
        why="The manual has no other forms.",
        fix="use a type that the operation allows",
    ),
)
