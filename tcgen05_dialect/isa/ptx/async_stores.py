"""st.async, red.async and st.bulk: types, qualifiers and sizes (9.7.9.12, 9.7.9.13, 9.7.13.7)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.ptx.memory import CLUSTER_SCOPES

ST_ASYNC = "9.7.9.12"
ST_BULK = "9.7.9.13"
RED_ASYNC = "9.7.13.7"
_WORDS = ("b32", "u32", "s32", "f32")
_DOUBLE_WORDS = ("b64", "u64", "s64", "f64")
QUAD = "b128"
"""The type of asynchronous stores that only newer versions have."""
VECTORS = Table(
    "st.async",
    ST_ASYNC,
    ("type", "values"),
    ((_WORDS, (1, 2, 4)), (_DOUBLE_WORDS, (1, 2)), (QUAD, 1)),
    rule("T5-PTX-220"),
)
GLOBAL_TYPES = ("b16", "u16", "s16", *_WORDS, *_DOUBLE_WORDS)
RELEASE = "release"
GLOBAL_SCOPES = Table(
    "asynchronous store to global memory",
    ST_ASYNC,
    ("mmio", "scope"),
    ((None, ("gpu", "sys")), ("mmio", "sys")),
    rule("T5-PTX-221"),
)
SCOPE = CLUSTER_SCOPES[-1]
"""The scope of asynchronous reductions in shared memory."""
REDUCTION = Table(
    "red.async",
    RED_ASYNC,
    ("operation", "type"),
    (
        ("add", ("u32", "s32", "u64", "s64")),
        (("min", "max"), ("u32", "s32")),
        (("inc", "dec"), "u32"),
        (("and", "or", "xor"), "b32"),
    ),
    rule("T5-PTX-222"),
)
_UNIT = 8
_MOST = 1 << 24
SIZE = Limit(
    rule("T5-PTX-223", unit=_UNIT, most=_MOST),
    range(0, _MOST + 1, _UNIT),
)
CLEARED = Place(0, _UNIT, amount="`size` bytes")
"""The place that st.bulk clears."""
