"""Formats of the instruction descriptor: the bits of its fields for each kind (9.7.16.4.2)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from tcgen05_dialect.isa.mma.kinds import KIND, KINDS, TRANSPOSE_NEGATE
from tcgen05_dialect.isa.mma.shapes import K96, SHAPES, TYPE_RULE
from tcgen05_dialect.isa.model.bitfield import (
    BOOLEANS,
    BitField,
    BitLayout,
    coded,
    fixed,
    flag,
    number,
)
from tcgen05_dialect.isa.model.rule import alternatives, rule

_SECTION = "9.7.16.4.2"
BITS_RULE = rule("T5-IDESC-003")
SATURATE_RULE = rule("T5-IDESC-004")
MAX_SHIFT_RULE = rule("T5-IDESC-007")

_D_CODES = {"f16": 0, "f32": 1, "s32": 2}
_F8F6F4_CODES = {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}
_E2M1_CODES = {"e2m1": 1}
_AB_CODES = {
    "f16": {"f16": 0, "bf16": 1},
    "tf32": {"tf32": 2},
    "f8f6f4": _F8F6F4_CODES,
    "i8": {"u8": 0, "s8": 1},
    "mxf8f6f4": _F8F6F4_CODES,
    "mxf4": _E2M1_CODES,
    "mxf4nvf4": _E2M1_CODES,
}
_SCALE_CODES = {"ue4m3": 0, "ue8m0": 1}
MAX_SHIFT_CODES = {0: 0, 8: 1, 16: 2, 32: 3}

_NOUN = "instruction descriptor"
COLUMN_FIELDS = {"scale": "scale_type", "k": "k96"}
"""Columns of Table 39 -> the field, where the names differ."""
_COLUMNS = {field: column for column, field in COLUMN_FIELDS.items()}


def _legal(codes: dict[str, int], column: str, kind: str) -> dict[str, int]:
    """The part of `codes` that is legal for the kind in Table 39."""
    legal = SHAPES.values(column, kind=kind)
    return {value: code for value, code in codes.items() if value in legal}


def _meanings(codes: dict[str, int]) -> dict[int, str]:
    """The meanings of all codes, legal for the kind or not."""
    return {code: value for value, code in codes.items()}


def _elsewhere(kind: str) -> dict[int, str]:
    """The meanings of codes of A and B in other kinds with the same format."""
    names: dict[int, dict[str, None]] = {}
    for other, codes in _AB_CODES.items():
        for name, code in codes.items():
            if other != kind and KINDS[other].block_scaled == KINDS[kind].block_scaled:
                names.setdefault(code, {})[name] = None
    return {
        code: f"the code of {alternatives(each)} in other kinds" for code, each in names.items()
    }


def _types(
    name: str, lo: int, hi: int, codes: dict[str, int], kind: str, meanings: dict[int, str]
) -> BitField:
    """A field for an element type of Table 39."""
    column = _COLUMNS.get(name, name)
    title = SHAPES.titles[column]
    return coded(name, lo, hi, _legal(codes, column, kind), TYPE_RULE, meanings, title)


def _extents(name: str, lo: int, hi: int, legal: Collection[int], shift: int) -> BitField:
    """A field for M or N."""
    return number(name, lo, hi, legal, shift, SHAPES.rule, SHAPES.titles[name])


def _common(kind: str) -> tuple[BitField, ...]:
    """The fields that Tables 42, 43 and 44 share."""
    transpose = TRANSPOSE_NEGATE.values("transpose", kind=kind)
    negate = TRANSPOSE_NEGATE.values("negate", kind=kind)
    rule = TRANSPOSE_NEGATE.rule
    return (
        flag("sparse", 2),
        fixed(6, 6),
        _types("a", 7, 9, _AB_CODES[kind], kind, _elsewhere(kind)),
        flag("negate_a", 13, negate, rule),
        flag("negate_b", 14, negate, rule),
        flag("transpose_a", 15, transpose, rule),
        flag("transpose_b", 16, transpose, rule),
        _extents("n", 17, 22, SHAPES.values("n"), 3),
    )


def _table42(kind: str) -> BitLayout:
    return BitLayout(
        f"Table 42, kind {kind}",
        _SECTION,
        32,
        (
            *_common(kind),
            number("sparsity_selector", 0, 1),
            flag("saturate", 3, BOOLEANS if kind == "i8" else (False,), SATURATE_RULE),
            _types("d", 4, 5, _D_CODES, kind, _meanings(_D_CODES)),
            _types("b", 10, 12, _AB_CODES[kind], kind, _elsewhere(kind)),
            fixed(23, 23),
            _extents("m", 24, 28, SHAPES.values("m", kind=kind), 4),
            fixed(29, 29),
            coded("max_shift", 30, 31, MAX_SHIFT_CODES, MAX_SHIFT_RULE),
        ),
        BITS_RULE,
        _NOUN,
        {"kind": kind},
    )


def _block_scaled(kind: str) -> BitLayout:
    # Imported here, because most kernels have no scale factors and imports cost start-up time.
    from tcgen05_dialect.isa.mma.scale import ID_RULE

    codes, meanings = _AB_CODES[kind], _elsewhere(kind)
    if K96 in SHAPES.values("k", kind=kind):
        name = "Table 44"
        own = (_types("b", 10, 11, codes, kind, meanings), fixed(12, 12), flag("k96", 31))
    else:
        name = "Table 43"
        own = (_types("b", 10, 12, codes, kind, meanings), fixed(31, 31))
    return BitLayout(
        f"{name}, kind {kind}",
        _SECTION,
        32,
        (
            *_common(kind),
            *own,
            fixed(0, 1),
            fixed(3, 3),
            number("sfb_id", 4, 5, rule=ID_RULE),
            _types("scale_type", 23, 23, _SCALE_CODES, kind, _meanings(_SCALE_CODES)),
            fixed(24, 26),
            _extents("m", 27, 28, SHAPES.values("m", kind=kind), 7),
            number("sfa_id", 29, 30, rule=ID_RULE),
        ),
        BITS_RULE,
        _NOUN,
        {"kind": kind},
    )


@cache
def descriptor_layout(kind: str) -> BitLayout:
    """The format of the descriptor for a kind: Table 42, 43 or 44. Raises Violation."""
    KIND.check(kind)
    return _block_scaled(kind) if KINDS[kind].block_scaled else _table42(kind)


def shape_of(kind: str, value: int) -> str:
    """M and N in the bits of a descriptor, legal or not, as `128x250`."""
    fields = (descriptor_layout(kind).field(name) for name in ("m", "n"))
    return "x".join(str(field.found(field.raw(value))) for field in fields)
