"""Exchange between the threads of a warp (9.7.9.6, 9.7.13.8 to 9.7.13.14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tcgen05_dialect.isa.effects.model import Area, Effects, Participants, StateSpace
from tcgen05_dialect.isa.instructions.table import WordOf
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

REDUX = Table(
    "redux.sync",
    "9.7.13.12",
    ("type", "operation", "abs", "nan"),
    (
        (("u32", "s32"), ("add", "min", "max"), None, None),
        ("b32", ("and", "or", "xor"), None, None),
        ("f32", ("min", "max"), (None, "abs"), (None, "NaN")),
    ),
    rule("T5-PTX-063"),
)


class ShuffleBounds(NamedTuple):
    """Operand c of shfl (9.7.9.6). Bits 4:0 are `clamp`, the bound of the source lane. Bits 12:8
    are `segment`, the mask of the lane bits that source and destination have in common."""

    clamp: Any
    segment: Any

    @classmethod
    def decode(cls, bits: Any) -> ShuffleBounds:
        """The fields in an integer, or in an array of integers."""
        return cls(bits & WARP_LANES - 1, bits >> 8 & WARP_LANES - 1)


def _exchange(operand: str, *results: str, where: str = "in the other threads") -> Effects:
    """The effects of an instruction that computes with the values of other threads."""
    return Effects(
        reads=(Area(StateSpace.REGISTERS, (operand,), where, proxy=None),),
        writes=tuple(Area(StateSpace.REGISTERS, (name,), proxy=None) for name in results),
        executed_by=Participants.NAMED,
        data=(operand,),
    )


EXCHANGE = _exchange("a", "d")
MATCH_ALL = _exchange("a", "d", "agree")
# shfl.sync and elect.sync make threads wait for each other, but order no accesses.
SHUFFLE = _exchange("a", "d", where="in another thread")
ELECTION = Effects(executed_by=Participants.NAMED)


def features_of_redux(word: WordOf) -> Sequence[str]:
    """The features of targets that redux.sync needs."""
    return ("redux_f32",) if word("type") == "f32" else ()


INSTRUCTIONS = r"""
shfl.sync | shfl.sync.$mode.b32 %d|%in_range, %a, %lane, %clamp, %mask
      / no_predicate: shfl.sync.$mode.b32 %d, %a, %lane, %clamp, %mask
    | 9.7.9.6 | mode bfly up idx down; d a lane clamp mask B32; in_range PRED;
      as bits d a lane clamp
    | SHUFFLE
    | The value of `a` in another lane of the warp; `in_range` holds if that lane is in range.
vote.sync | vote.sync.$mode.pred %d, %a, %mask | 9.7.13.9 | mode uni all any; d a PRED; mask B32
    | EXCHANGE | Whether `a` holds in all lanes of `mask`, in any, or is the same in all.
vote.sync.ballot | vote.sync.ballot.b32 %d, %a, %mask | 9.7.13.9 | d mask B32; a PRED; as bits d
    | EXCHANGE
    | The lanes of `mask` in which `a` holds.
match.sync.any | match.any.sync.$type %d, %a, %mask | 9.7.13.10 | type b32 b64; d mask B32
    | EXCHANGE | The lanes of `mask` in which `a` has the same value.
match.sync.all | match.all.sync.$type %d|%agree, %a, %mask
      / no_predicate: match.all.sync.$type %d, %a, %mask
    | 9.7.13.10 | type b32 b64; d mask B32; agree PRED | MATCH_ALL
    | `mask` if `a` has the same value in all lanes of `mask`, else zero; `agree` says which.
activemask | activemask.b32 %d | 9.7.13.11 | d B32; as bits d | unordered
    | The lanes that execute the instruction together.
redux.sync | redux.sync.$operation.$abs.$nan.$type %d, %a, %mask | 9.7.13.12
    | REDUX; mask B32; needs features_of_redux | EXCHANGE
    | The sum, an extremum or a bitwise combination of `a` over the lanes of `mask`.
elect.sync | elect.sync %leader|%elected, %mask
      / no_leader: elect.sync _|%elected, %mask
    | 9.7.13.14 | leader mask B32; elected PRED | ELECTION
    | Elect one lane of `mask`: `elected` holds only there, and `leader` is its number.
"""
