"""cp.async.bulk and cp.reduce.async.bulk: sizes, places and operations (9.7.9.25.4)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table

COPY = "9.7.9.25.4.1"
REDUCTION = "9.7.9.25.4.2"
PREFETCH = "9.7.9.25.4.3"
SCOPE = "gpu"
"""The scope of each reduction of an element, which is relaxed."""
CHUNK_BYTES = 16
"""Bytes of a chunk of a bulk copy: the unit of sizes, addresses and byte masks."""
_LIMIT = 1 << 20
SIZE = Limit(
    rule("T5-PTX-200", chunk_bytes=CHUNK_BYTES, limit=_LIMIT),
    range(0, _LIMIT, CHUNK_BYTES),
)
CHUNKS = Place(
    0,
    CHUNK_BYTES,
    rule("T5-PTX-201", chunk_bytes=CHUNK_BYTES),
    amount="`size` bytes",
)
"""The place of a bulk copy; its operand `size` determines the number of bytes."""
IGNORED = Limit(
    rule("T5-PTX-202", chunk_bytes=CHUNK_BYTES),
    range(CHUNK_BYTES),
)

_NOFTZ = "noftz"
_HALVES = ("f16", "bf16")
_ANYWHERE = (
    ("add", ("u32", "s32", "u64")),
    (("min", "max"), ("u32", "s32")),
    (("inc", "dec"), "u32"),
    (("and", "or", "xor"), "b32"),
)
"""Operations and types of reductions in shared and global memory."""
REMOTE_REDUCTION = Table(
    "cp.reduce.async.bulk to shared memory",
    REDUCTION,
    ("operation", "type"),
    _ANYWHERE,
    rule("T5-PTX-203"),
)
FLOAT_SUM = "add", _NOFTZ, "f32"
"""The sum of f32 that keeps subnormal numbers, which only newer versions have."""
GLOBAL_REDUCTION = Table(
    "cp.reduce.async.bulk to global memory",
    REDUCTION,
    ("operation", "noftz", "type"),
    (
        *((operation, None, type_) for operation, type_ in _ANYWHERE),
        ("add", None, ("f32", "f64")),
        ("add", _NOFTZ, _HALVES),
        FLOAT_SUM,
        (("min", "max"), None, ("u64", "s64", *_HALVES)),
        (("and", "or", "xor"), None, "b64"),
    ),
    rule("T5-PTX-204"),
)
