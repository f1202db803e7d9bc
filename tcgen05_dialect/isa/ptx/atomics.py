"""atom and red: operations, types and qualifiers (9.7.13.5, 9.7.13.6)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.ptx.memory import SHARED_SPACES

SECTION = "9.7.13.5, 9.7.13.6"
ATOM_SEMANTICS = ("relaxed", "acquire", "release", "acq_rel")
RED_SEMANTICS = ("relaxed", "release")
SCOPE = "gpu"
"""The scope without a qualifier."""
SPACES = ("global", *SHARED_SPACES)
VECTOR_SPACES = ("global",)
_NOFTZ = "noftz"
_HALVES = ("f16", "bf16")
_PAIRS = ("f16x2", "bf16x2")
_REDUCTIONS = (
    ("add", ("u32", "s32", "u64", "f32", "f64"), None),
    ("add", (*_HALVES, *_PAIRS), _NOFTZ),
    (("min", "max"), ("u32", "s32", "u64", "s64"), None),
    (("inc", "dec"), "u32", None),
    (("and", "or", "xor"), ("b32", "b64"), None),
)
_COLUMNS = ("operation", "type", "noftz")
RED = Table(
    "red",
    "9.7.13.6",
    _COLUMNS,
    _REDUCTIONS,
    rule("T5-PTX-150"),
)
ATOM = Table(
    "atom",
    "9.7.13.5",
    _COLUMNS,
    (*_REDUCTIONS, ("exch", ("b32", "b64", "b128"), None)),
    rule("T5-PTX-151"),
)
CAS_TYPES = ("b16", "b32", "b64", "b128")
_EXTREMA_AND_SUM = ("add", "min", "max")
_VECTORS = (
    *(("add", "f32", None, count) for count in (2, 4)),
    *((_EXTREMA_AND_SUM, _HALVES, _NOFTZ, count) for count in (2, 4, 8)),
    *((_EXTREMA_AND_SUM, _PAIRS, _NOFTZ, count) for count in (2, 4)),
)
RED_VECTOR = Table(
    "red of a vector",
    "9.7.13.6",
    (*_COLUMNS, "values"),
    _VECTORS,
    rule("T5-PTX-152"),
)
ATOM_VECTOR = Table(
    "atom of a vector",
    "9.7.13.5",
    (*_COLUMNS, "values", "old"),
    tuple((*row, row[-1]) for row in _VECTORS),
    rule("T5-PTX-153"),
)
CACHED = Table(
    "cache policy of atom and red",
    SECTION,
    ("space", "cache_policy"),
    (((None, *VECTOR_SPACES), (0, 1)), (SHARED_SPACES, 0)),
    rule("T5-PTX-154"),
)
