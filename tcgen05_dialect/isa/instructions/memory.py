"""Loads, stores, caches and special registers (9.7.9, 10)."""

from __future__ import annotations

from collections.abc import Sequence

from tcgen05_dialect.isa.effects.model import (
    SCOPES,
    Area,
    Effects,
    Elements,
    StateSpace,
    by_semantics,
)
from tcgen05_dialect.isa.instructions.table import WordOf
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Place, Table
from tcgen05_dialect.isa.ptx.ptx_text import OPERAND_BITS

SHARED_SPACES = ("shared", "shared::cta", "shared::cluster")
_GLOBAL_SPACES = (None, "global")
"""State spaces that reach global memory: none (a generic address), or global."""
_WORDS = ("b32", "u32", "s32", "f32")
_NARROW = ("b8", "u8", "s8", "b16", "u16", "s16", *_WORDS)
_DOUBLE_WORDS = ("b64", "u64", "s64", "f64")
_QUAD = "b128"

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


READ_SPACES = (*_OWN_SPACES, "const")
PARAMETER_SPACES = ("param", "param::entry")
"""The spellings of the state space of kernel parameters."""
LD_VECTORS = _vectors("T5-PTX-031", "ld", "9.7.9.8", (*READ_SPACES, *PARAMETER_SPACES), READ_SPACES)
ST_VECTORS = _vectors("T5-PTX-032", "st", "9.7.9.11", _OWN_SPACES, _OWN_SPACES)

LD = Table(
    "ld",
    "9.7.9.8, 9.7.9.9",
    ("space", "semantics", "scope", "coherence", "cache", "prefetch", "cache_policy"),
    (
        (_GLOBAL_SPACES, (None, "weak"), None, None, _LOAD_CACHES, _PREFETCHES, _POLICIES),
        ("global", None, None, "nc", _NC_CACHES, _PREFETCHES, _POLICIES),
        (
            *(_GLOBAL_SPACES, ("relaxed", "acquire"), SCOPES, None),
            *(_STRONG_CACHES, _PREFETCHES, _POLICIES),
        ),
        (SHARED_SPACES, ("relaxed", "acquire"), SCOPES, None, None, None, 0),
        (_GLOBAL_SPACES, "volatile", None, None, None, _PREFETCHES, 0),
        (SHARED_SPACES, "volatile", None, None, None, None, 0),
        (READ_SPACES, (None, "weak"), None, None, (None, *_LOADS), None, 0),
        (PARAMETER_SPACES, (None, "weak"), None, None, None, None, 0),
    ),
    rule("T5-PTX-033"),
)
ST = Table(
    "st",
    "9.7.9.11",
    ("space", "semantics", "scope", "cache", "cache_policy"),
    (
        (_GLOBAL_SPACES, (None, "weak"), None, _STORE_CACHES, _POLICIES),
        (_GLOBAL_SPACES, ("relaxed", "release"), SCOPES, _STRONG_CACHES, _POLICIES),
        (SHARED_SPACES, ("relaxed", "release"), SCOPES, None, 0),
        ((*_GLOBAL_SPACES, *SHARED_SPACES), "volatile", None, None, 0),
        (_OWN_SPACES, (None, "weak"), None, (None, *_STORES), 0),
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

_MULTIMEM = "9.7.9.14"
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
        _MULTIMEM,
        ("type", "values"),
        rows,
        rule(id),
    )


MULTIMEM_LD_VALUES = _values("T5-PTX-240", "multimem.ld_reduce", (*_VALUES, *_NARROW_VALUES))
MULTIMEM_ST_VALUES = _values("T5-PTX-241", "multimem.st", (*_VALUES, *_NARROW_VALUES))
MULTIMEM_RED_VALUES = _values("T5-PTX-242", "multimem.red", _VALUES)


def _semantics(id: str, name: str, weak: tuple[str, ...], strong: tuple[str, ...]) -> Table:
    return Table(
        name,
        _MULTIMEM,
        ("semantics", "scope"),
        (((None, *weak), None), (strong, SCOPES)),
        rule(id),
    )


MULTIMEM_LD_SEMANTICS = _semantics(
    "T5-PTX-243", "multimem.ld_reduce", ("weak",), ("relaxed", "acquire")
)
MULTIMEM_ST_SEMANTICS = _semantics("T5-PTX-244", "multimem.st", ("weak",), ("relaxed", "release"))
MULTIMEM_RED_SEMANTICS = _semantics("T5-PTX-245", "multimem.red", (), ("relaxed", "release"))
_ON_INTEGERS = (
    ("add", ("u32", "s32", "u64"), None),
    (("min", "max"), ("u32", "s32", "u64", "s64"), None),
    (("and", "or", "xor"), ("b32", "b64"), None),
)
MULTIMEM_LD_OPERATIONS = Table(
    "operation of multimem.ld_reduce",
    _MULTIMEM,
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
MULTIMEM_RED_OPERATIONS = Table(
    "operation of multimem.red",
    _MULTIMEM,
    ("operation", "type"),
    (
        *((operation, type_) for operation, type_, _ in _ON_INTEGERS),
        ("add", ("f32", "f64", *_HALVES, *_PAIRS)),
    ),
    rule("T5-PTX-247"),
)

_LINE_BYTES = 128
LINE = Place(_LINE_BYTES, _LINE_BYTES)
"""The bytes that one instruction acts on."""

_ADDRESSED = Area(StateSpace.MEMORY, ("address",), Elements("type", "values"))
_REGISTERS = Area(StateSpace.REGISTERS, ("values",), proxy=None)
LOAD = Effects(reads=(_ADDRESSED,), writes=(_REGISTERS,), orders=by_semantics())
STORE = Effects(reads=(_REGISTERS,), writes=(_ADDRESSED,), orders=by_semantics(), data=("values",))
REDUCTION = STORE._replace(reads=(_REGISTERS, _ADDRESSED), scope="sys", is_atomic=True)
# The bytes are undefined until they are written again.
DISCARD = Effects(writes=(Area(StateSpace.GLOBAL, ("address",), LINE),))


def features_of_access(word: WordOf) -> Sequence[str]:
    """The features of targets that a load or a store needs."""
    type_, values = word("type"), word("values")
    assert isinstance(type_, str) and isinstance(values, int)
    return ("wide_access",) if OPERAND_BITS[type_] * values >= WIDE_BITS else ()


INSTRUCTIONS = r"""
ld
    | ld.$semantics.$scope.$space.$coherence.$cache.$eviction?cache_policy(.L2::cache_hint).$prefetch*values(.v#(values)).$type <%values>, [%address]?cache_policy(, %cache_policy)
    | 9.7.9.8, 9.7.9.9
    | LD LD_VECTORS; values ANY_REGISTER of type; address ADDRESS of space; cache_policy B64;
      wider values; needs features_of_access | LOAD
    | Load one register, or a vector of registers, from memory.
st
    | st.$semantics.$scope.$space.$cache.$eviction?cache_policy(.L2::cache_hint)*values(.v#(values)).$type [%address], <%values>?cache_policy(, %cache_policy)
    | 9.7.9.11
    | ST ST_VECTORS; address B32_OR_B64 of space; values ANY_REGISTER of type; cache_policy B64;
      wider values; needs features_of_access | STORE
    | Store one register, or a vector of registers, to memory.
multimem.ld_reduce
    | multimem.ld_reduce.$semantics.$scope.$space.$operation.$accumulator*values(.v#(values)).$type <%values>, [%address]
    | 9.7.9.14
    | MULTIMEM_LD_SEMANTICS MULTIMEM_LD_OPERATIONS MULTIMEM_LD_VALUES; space? global; address B64
    | LOAD | Combine the numbers at an address in the memory of all GPUs.
multimem.st | multimem.st.$semantics.$scope.$space*values(.v#(values)).$type [%address], <!values>
    | 9.7.9.14 | MULTIMEM_ST_SEMANTICS MULTIMEM_ST_VALUES; space? global; address B64 | STORE
    | Store registers at an address in the memory of all GPUs.
multimem.red
    | multimem.red.$semantics.$scope.$space.$operation*values(.v#(values)).$type [%address], <!values>
    | 9.7.9.14
    | MULTIMEM_RED_SEMANTICS MULTIMEM_RED_OPERATIONS MULTIMEM_RED_VALUES; space? global; address
      B64 | REDUCTION
    | Combine the numbers at an address in the memory of each GPU with registers.
prefetch | prefetch.$space.$level [%address] | 9.7.9.15 | PREFETCH; address B64 | unordered
    | Prefetch the cache line at an address into a cache.
prefetchu | prefetchu.L1 [%address] | 9.7.9.15 | address B64 | unordered
    | Prefetch the cache line at a generic address into the uniform cache.
applypriority | applypriority.$space.L2::evict_normal [%address], 128 | 9.7.9.16
    | space? global; address B64 | unordered
    | Give the cache line at an address in global memory the usual priority in the L2 cache.
discard | discard.$space.L2 [%address], 128 | 9.7.9.17 | space? global; address B64 | DISCARD
    | Drop the cache line at an address in global memory; its bytes are undefined until they are
      written again.
createpolicy.fractional | createpolicy.fractional.$primary.$secondary.b64 %d?fraction(, %fraction)
    | 9.7.9.18
    | primary L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged; secondary?
      L2::evict_unchanged L2::evict_first; d B64; fraction F32; base FractionalPolicy | pure
    | A policy that gives a fraction of the accesses one priority, and the others another.
createpolicy.range
    | createpolicy.range.global.$primary.$secondary.b64 %d, [%address], %primary_size, %total_size
      / generic: createpolicy.range.$primary.$secondary.b64 %d, [%address], %primary_size, %total_size
    | 9.7.9.18
    | primary L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged; secondary?
      L2::evict_unchanged L2::evict_first; d address B64; primary_size total_size B32 | pure
    | A policy that gives accesses to a range of addresses one priority, and others another.
createpolicy.cvt | createpolicy.cvt.L2.b64 %d, %access_property | 9.7.9.18 | d access_property B64
    | pure | A policy from an access property of CUDA.
"""
