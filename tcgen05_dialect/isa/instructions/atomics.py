"""Atomic operations, and asynchronous stores and reductions by threads (9.7.9.12, 9.7.9.13,
9.7.13.5 to 9.7.13.7)."""

from __future__ import annotations

from collections.abc import Sequence

from tcgen05_dialect.isa.effects.model import (
    COPIED,
    Actor,
    Area,
    Effects,
    Elements,
    Ordering,
    StateSpace,
    by_semantics,
)
from tcgen05_dialect.isa.effects.model import SCOPES as SCOPES
from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.instructions.memory import SHARED_SPACES
from tcgen05_dialect.isa.instructions.table import WordOf
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table

ATOM_SEMANTICS = ("relaxed", "acquire", "release", "acq_rel")
SPACES = ("global", *SHARED_SPACES)
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
    "9.7.13.5, 9.7.13.6",
    ("space", "cache_policy"),
    (((None, "global"), (0, 1)), (SHARED_SPACES, 0)),
    rule("T5-PTX-154"),
)

_WORDS = ("b32", "u32", "s32", "f32")
_DOUBLE_WORDS = ("b64", "u64", "s64", "f64")
_QUAD = "b128"
VECTORS = Table(
    "st.async",
    "9.7.9.12",
    ("type", "values"),
    ((_WORDS, (1, 2, 4)), (_DOUBLE_WORDS, (1, 2)), (_QUAD, 1)),
    rule("T5-PTX-220"),
)
GLOBAL_TYPES = ("b16", "u16", "s16", *_WORDS, *_DOUBLE_WORDS)
GLOBAL_SCOPES = Table(
    "asynchronous store to global memory",
    "9.7.9.12",
    ("mmio", "scope"),
    ((None, ("gpu", "sys")), ("mmio", "sys")),
    rule("T5-PTX-221"),
)
ASYNC_REDUCTION = Table(
    "red.async",
    "9.7.13.7",
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
CLEARED_SIZE = Limit(
    rule("T5-PTX-223", unit=_UNIT, most=_MOST),
    range(0, _MOST + 1, _UNIT),
)
CLEARED = Place(0, _UNIT, amount="`size` bytes")
"""The place that st.bulk clears."""


def _registers(*names: str) -> Area:
    return Area(StateSpace.REGISTERS, names, proxy=None)


def _atomic(*values: str, result: str = "") -> Effects:
    addressed = Area(StateSpace.MEMORY, ("address",), Elements("type", values[-1]))
    written = (_registers(result),) if result else ()
    return Effects(
        reads=(_registers(*values), addressed),
        writes=(addressed, *written),
        orders=by_semantics(),
        scope="gpu",
        data=values,
        is_atomic=True,
    )


ATOMIC = _atomic("value", result="d")
COMPARISON = _atomic("compare", "value", result="d")
VECTOR_ATOMIC = _atomic("values", result="old")
REDUCTION = _atomic("value")
VECTOR_REDUCTION = _atomic("values")

_BARRIER = Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT)
_REMOTE = Area(StateSpace.SHARED, ("address",), Elements("type", "value"), completion=COPIED)
_GLOBAL = Area(StateSpace.GLOBAL, ("address",), Elements("type", "value"))
REMOTE_STORE = Effects(
    reads=(_registers("values"),),
    writes=(_REMOTE._replace(extent=Elements("type", "values")), _BARRIER),
    actor=Actor.COPY,
    completes_at="mbarrier",
    data=("values",),
)
REMOTE_REDUCTION = REMOTE_STORE._replace(
    reads=(_registers("value"), _REMOTE),
    writes=(_REMOTE, _BARRIER),
    scope="cluster",
    data=("value",),
    is_atomic=True,
)
# To the thread itself, a store to global memory looks like st.release.
GLOBAL_STORE = Effects(
    reads=(_registers("value"),),
    writes=(_GLOBAL,),
    orders=(Ordering.RELEASE,),
    data=("value",),
)
GLOBAL_REDUCTION = GLOBAL_STORE._replace(reads=(_registers("value"), _GLOBAL), is_atomic=True)
CLEARING = Effects(writes=(Area(StateSpace.SHARED, ("address",), CLEARED),))


def features_of_quad(word: WordOf) -> Sequence[str]:
    """The features of targets that an asynchronous store needs."""
    return ("st_async_b128",) if word("type") == _QUAD else ()


INSTRUCTIONS = r"""
st.async
    | st.async.$semantics.shared::cluster.mbarrier::complete_tx::bytes*values(.v#(values)).$type [%address], <%values>, [%mbarrier]
    | 9.7.9.12
    | VECTORS; semantics? weak; address mbarrier SHARED_ADDRESS; values ANY_REGISTER of type;
      needs features_of_quad | REMOTE_STORE
    | Store registers to shared memory of a CTA of the cluster; `mbarrier`, in the same CTA,
      tracks the completion.
st.async.global | st.async.$mmio.$semantics.$scope.$space.$type [%address], %value | 9.7.9.12
    | GLOBAL_SCOPES; semantics release; space? global; type GLOBAL_TYPES; address B64; needs
      async_global | GLOBAL_STORE
    | Store a register to global memory; the store releases earlier accesses.
st.bulk | st.bulk.$semantics.shared::cta [!address], %size, 0
      / generic: st.bulk.$semantics [!address], %size, 0
    | 9.7.9.13
    | semantics? weak; address SHARED_ADDRESS; size B64 in CLEARED_SIZE; base SizedInstruction;
      as address size
    | CLEARING | Clear `size` bytes of shared memory of this CTA.
atom
    | atom.$semantics.$scope.$space.$operation.$noftz?cache_policy(.L2::cache_hint).$type %d, [%address], %value?cache_policy(, %cache_policy)
      / no_result: atom.$semantics.$scope.$space.$operation.$noftz?cache_policy(.L2::cache_hint).$type _, [%address], %value?cache_policy(, %cache_policy)
    | 9.7.13.5
    | ATOM CACHED; semantics? ATOM_SEMANTICS; scope? SCOPES; d value ANY_REGISTER of type; address
      B32_OR_B64 of space; cache_policy B64 | ATOMIC
    | Replace a number in memory by its combination with `value`; `d` is the number before.
atom.cas | atom.$semantics.$scope.$space.cas.$type %d, [%address], %compare, %value
      / no_result: atom.$semantics.$scope.$space.cas.$type _, [%address], %compare, %value
    | 9.7.13.5
    | semantics? ATOM_SEMANTICS; scope? SCOPES; space? SPACES; type b32 b64 b16 b128; d compare
      value ANY_REGISTER of type; address B32_OR_B64 of space | COMPARISON
    | Replace a number in memory by `value` if it is `compare`; `d` is the number before.
atom.vector
    | atom.$semantics.$scope.$space.$operation.$noftz?cache_policy(.L2::cache_hint).v#(values).$type {%old}, [%address], {!values}?cache_policy(, %cache_policy)
    | 9.7.13.5
    | ATOM_VECTOR; semantics? ATOM_SEMANTICS; scope? SCOPES; space? global; address B32_OR_B64 of
      space; cache_policy B64; sinks | VECTOR_ATOMIC
    | Combine each number of a vector in memory with a value; `old` are the numbers before.
red
    | red.$semantics.$scope.$space.$operation.$noftz?cache_policy(.L2::cache_hint).$type [%address], %value?cache_policy(, %cache_policy)
    | 9.7.13.6
    | RED CACHED; semantics? relaxed release; scope? SCOPES; address B32_OR_B64 of space;
      cache_policy B64 | REDUCTION | Replace a number in memory by its combination with `value`.
red.vector
    | red.$semantics.$scope.$space.$operation.$noftz?cache_policy(.L2::cache_hint).v#(values).$type [%address], {!values}?cache_policy(, %cache_policy)
    | 9.7.13.6
    | RED_VECTOR; semantics? relaxed release; scope? SCOPES; space? global; address B32_OR_B64 of
      space; cache_policy B64 | VECTOR_REDUCTION
    | Combine each number of a vector in memory with a value.
red.async
    | red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.$operation.$type [%address], %value, [%mbarrier]
    | 9.7.13.7 | ASYNC_REDUCTION; address mbarrier SHARED_ADDRESS | REMOTE_REDUCTION
    | Combine a number in shared memory of a CTA of the cluster with `value`; `mbarrier`, in the
      same CTA, tracks the completion.
red.async.global | red.async.$mmio.$semantics.$scope.$space.$operation.$type [%address], %value
    | 9.7.13.7
    | GLOBAL_SCOPES ASYNC_REDUCTION; semantics release; space? global; address B64; needs
      async_global | GLOBAL_REDUCTION
    | Combine a number in global memory with `value`; the reduction releases earlier accesses.
"""
