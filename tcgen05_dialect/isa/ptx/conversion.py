"""Conversions: types and qualifiers of cvt (9.7.9.21), and of mov with vectors (9.7.9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.ptx.arithmetic import INTEGERS, ROUNDINGS
from tcgen05_dialect.isa.ptx.registers import TYPE_BITS

_SECTION = "9.7.9.21"
_BYTES = ("u8", "s8")
_INTEGERS = (*_BYTES, *INTEGERS)
_TO_INTEGER = ("rni", "rzi", "rmi", "rpi")
"""Roundings to an integral value."""
_FLUSH = (None, "ftz")
_SATURATE = (None, "sat")


def _range(integer: str) -> range:
    bits = TYPE_BITS[integer]
    return range(-(1 << bits - 1), 1 << bits - 1) if integer[0] == "s" else range(1 << bits)


def _integer_rows() -> Iterator[tuple[object, ...]]:
    """Rows for two integer types. `.sat` is legal if the source has values that do not fit into the
    destination."""
    for type_ in _INTEGERS:
        legal = _range(type_)
        wider = frozenset(
            source
            for source in _INTEGERS
            if _range(source)[0] < legal[0] or _range(source)[-1] > legal[-1]
        )
        yield type_, frozenset(_INTEGERS) - wider, None, None, None
        if wider:
            yield type_, wider, None, None, _SATURATE


_COLUMNS = ("type", "source", "rounding", "flush", "saturate", "relu")
_BASIC_ROWS = (
    *_integer_rows(),
    (_INTEGERS, "f32", _TO_INTEGER, _FLUSH, _SATURATE),
    (_INTEGERS, ("f16", "f64"), _TO_INTEGER, None, _SATURATE),
    (INTEGERS, "bf16", _TO_INTEGER, None, None),
    ("f32", _INTEGERS, ROUNDINGS, _FLUSH, _SATURATE),
    (("f16", "f64"), _INTEGERS, ROUNDINGS, None, _SATURATE),
    ("bf16", INTEGERS, ROUNDINGS, None, None),
    ("f16", "f16", (None, *_TO_INTEGER), None, _SATURATE),
    ("f32", "f32", (None, *_TO_INTEGER), _FLUSH, _SATURATE),
    ("f64", "f64", (None, *_TO_INTEGER), None, _SATURATE),
    ("bf16", "bf16", (None, *_TO_INTEGER), None, None),
    ("f32", "f16", None, _FLUSH, _SATURATE),
    ("f32", "bf16", None, _FLUSH, None),
    ("f64", "f16", None, None, _SATURATE),
    ("f64", "bf16", None, None, None),
    ("f64", "f32", None, _FLUSH, _SATURATE),
    ("f16", "f32", ROUNDINGS, _FLUSH, _SATURATE),
    ("f16", "f64", ROUNDINGS, None, _SATURATE),
    ("f32", "f64", ROUNDINGS, _FLUSH, _SATURATE),
    ("bf16", "f32", ROUNDINGS, _FLUSH, None),
    ("bf16", ("f16", "f64"), ROUNDINGS, None, None),
    ("f16", "bf16", ROUNDINGS, None, None),
)
_FINITE = (None, "satfinite")
_RELU = (None, "relu")
_ROWS = (
    *((*row, None) for row in _BASIC_ROWS),
    (("f16", "bf16"), "f32", ("rn", "rz"), None, "satfinite", _RELU),
    (("f16", "bf16"), "f32", ("rn", "rz"), None, None, "relu"),
    ("tf32", "f32", ("rn", "rz"), None, _FINITE, _RELU),
    ("tf32", "f32", "rna", None, _FINITE, None),
)
CVT = Table(
    "cvt",
    _SECTION,
    _COLUMNS,
    _ROWS,
    rule("T5-PTX-020"),
)

CVT_PACK = Table(
    "cvt of two values",
    _SECTION,
    ("type", "source", "rounding", "saturate", "relu"),
    ((("f16x2", "bf16x2"), "f32", ("rn", "rz"), _FINITE, _RELU),),
    rule("T5-PTX-021"),
)

PACKING = Table(
    "mov of a vector",
    "9.7.9.4",
    ("type", "parts", "bits"),
    tuple(
        (type_, parts, TYPE_BITS[type_] // parts)
        for type_, parts in (
            ("b16", 2),
            ("b32", 2),
            ("b32", 4),
            ("b64", 2),
            ("b64", 4),
            ("b128", 2),
        )
    ),
    rule("T5-PTX-022"),
)
"""Number and size of the registers that mov packs into a register of type `type`."""
