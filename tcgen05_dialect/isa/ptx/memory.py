"""ld and st: state spaces, qualifiers and vectors (9.7.9.8, 9.7.9.9, 9.7.9.11)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table


class Semantics(NamedTuple):
    """The meaning of a semantics qualifier: whether the operation is strong, releases and acquires.
    A strong access does not race with strong accesses that have it in scope."""

    is_strong: bool = True
    releases: bool = False
    acquires: bool = False


_WEAK = "weak"
SEMANTICS = {
    _WEAK: Semantics(is_strong=False),
    "relaxed": Semantics(),
    "volatile": Semantics(),
    "release": Semantics(releases=True),
    "acquire": Semantics(acquires=True),
    "acq_rel": Semantics(releases=True, acquires=True),
    "sc": Semantics(releases=True, acquires=True),
}
"""Semantics of loads, stores, fences and operations on barriers (8.4, 8.8)."""


def is_strong(semantics: str | None) -> bool:
    """Whether a load or a store is strong; without a qualifier it is weak."""
    return SEMANTICS[semantics or _WEAK].is_strong


SHARED_SPACES = ("shared", "shared::cta", "shared::cluster")
CTA_SCOPE = "cta"
CLUSTER_SCOPES = (CTA_SCOPE, "cluster")
"""Scopes within a cluster; operations on barrier objects have only these."""
SCOPES = (*CLUSTER_SCOPES, "gpu", "sys")
_GLOBAL_SPACES = (None, "global")
"""State spaces that reach global memory: none (a generic address), or global."""
_WORDS = ("b32", "u32", "s32", "f32")
_NARROW = ("b8", "u8", "s8", "b16", "u16", "s16", *_WORDS)
_DOUBLE_WORDS = ("b64", "u64", "s64", "f64")
_QUAD = "b128"
TYPES = (*_NARROW, *_DOUBLE_WORDS, _QUAD)

_PRIORITIES = (
    *("L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last"),
    "L1::no_allocate",
)
_STRONG_CACHES = (None, *_PRIORITIES)
_NC_OPERATORS = ("ca", "cg", "cs")
_LOADS = ("ca", "cg", "cs", "lu", "cv")
_STORES = ("wb", "cg", "cs", "wt")
"""Cache operators (9.7.9.1)."""
_EVICTIONS = (None, "L2::evict_normal", "L2::evict_first", "L2::evict_last")
_PREFETCHES = (None, "L2::64B", "L2::128B", "L2::256B")
_POLICIES = (0, 1)
_NC_CACHES = (*_STRONG_CACHES, *_NC_OPERATORS)
_LOAD_CACHES = (*_STRONG_CACHES, *_LOADS)
_STORE_CACHES = (*_STRONG_CACHES, *_STORES)
WIDE_BITS = 256
"""Size in bits of accesses that need the feature `wide_access`."""


_OWN_SPACES = (*SHARED_SPACES, "local")
"""State spaces besides global memory that threads write."""


def _vectors(
    id: str, name: str, section: str, other_spaces: tuple[str, ...], quad_spaces: tuple[str, ...]
) -> Table:
    return Table(
        name,
        section,
        ("space", "type", "values", "eviction"),
        (
            (_GLOBAL_SPACES, _WORDS, 8, _EVICTIONS),
            (_GLOBAL_SPACES, _DOUBLE_WORDS, 4, _EVICTIONS),
            (_GLOBAL_SPACES, _DOUBLE_WORDS, (1, 2), None),
            (_GLOBAL_SPACES, _NARROW, (1, 2, 4), None),
            ((*_GLOBAL_SPACES, *quad_spaces), _QUAD, 1, None),
            (other_spaces, _NARROW, (1, 2, 4), None),
            (other_spaces, _DOUBLE_WORDS, (1, 2), None),
        ),
        rule(id, wide_bits=WIDE_BITS),
    )


_READ_SPACES = (*_OWN_SPACES, "const")
LD_VECTORS = _vectors("T5-PTX-031", "ld", "9.7.9.8", (*_READ_SPACES, "param"), _READ_SPACES)
ST_VECTORS = _vectors("T5-PTX-032", "st", "9.7.9.11", _OWN_SPACES, _OWN_SPACES)

LD = Table(
    "ld",
    "9.7.9.8, 9.7.9.9",
    ("space", "semantics", "scope", "coherence", "cache", "prefetch", "cache_policy"),
    (
        (_GLOBAL_SPACES, (None, _WEAK), None, None, _LOAD_CACHES, _PREFETCHES, _POLICIES),
        ("global", None, None, "nc", _NC_CACHES, _PREFETCHES, _POLICIES),
        (
            *(_GLOBAL_SPACES, ("relaxed", "acquire"), SCOPES, None),
            *(_STRONG_CACHES, _PREFETCHES, _POLICIES),
        ),
        (SHARED_SPACES, ("relaxed", "acquire"), SCOPES, None, None, None, 0),
        (_GLOBAL_SPACES, "volatile", None, None, None, _PREFETCHES, 0),
        (SHARED_SPACES, "volatile", None, None, None, None, 0),
        (_READ_SPACES, (None, _WEAK), None, None, (None, *_LOADS), None, 0),
        ("param", (None, _WEAK), None, None, None, None, 0),
    ),
    rule("T5-PTX-033"),
)
ST = Table(
    "st",
    "9.7.9.11",
    ("space", "semantics", "scope", "cache", "cache_policy"),
    (
        (_GLOBAL_SPACES, (None, _WEAK), None, _STORE_CACHES, _POLICIES),
        (_GLOBAL_SPACES, ("relaxed", "release"), SCOPES, _STRONG_CACHES, _POLICIES),
        (SHARED_SPACES, ("relaxed", "release"), SCOPES, None, 0),
        ((*_GLOBAL_SPACES, *SHARED_SPACES), "volatile", None, None, 0),
        (_OWN_SPACES, (None, _WEAK), None, (None, *_STORES), 0),
    ),
    rule("T5-PTX-034"),
)
_LEVELS = ("L1", "L2")
PREFETCH = Table(
    "prefetch",
    "9.7.9.15",
    ("space", "level"),
    (
        (_GLOBAL_SPACES, (*_LEVELS, "L2::evict_last", "L2::evict_normal")),
        ("local", _LEVELS),
    ),
    rule("T5-PTX-225"),
)
CVTA_SPACES = ("global", *_READ_SPACES, "param", "param::entry")
