"""Votes, matches and reductions in a warp (9.7.13.8 to 9.7.13.12)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.warp import MATCH_TYPES, REDUX, VOTES
from .instruction import EffectInstruction, instruction, opt_qualifier, qualifier
from .register_types import B32, PRED, REGISTER


@instruction("vote.sync.$mode.pred %d, %a, %mask")
class VoteSyncOp(EffectInstruction):
    """Whether `a` holds in all lanes of `mask`, in any, or is the same in all."""

    name = "ptx.vote.sync"
    mode = qualifier(*VOTES)
    a = operand_def(PRED)
    mask = operand_def(B32)
    d = result_def(PRED)


@instruction("vote.sync.ballot.b32 %d, %a, %mask")
class VoteSyncBallotOp(EffectInstruction):
    """The lanes of `mask` in which `a` holds."""

    name = "ptx.vote.sync.ballot"
    a = operand_def(PRED)
    mask = operand_def(B32)
    d = result_def(B32)


@instruction("match.any.sync.$type %d, %a, %mask")
class MatchSyncAnyOp(EffectInstruction):
    """The lanes of `mask` in which `a` has the same value."""

    name = "ptx.match.sync.any"
    type = qualifier(*MATCH_TYPES)
    a = operand_def(REGISTER)
    mask = operand_def(B32)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}


@instruction(
    "match.all.sync.$type %d|%agree, %a, %mask",
    also={"no_predicate": "match.all.sync.$type %d, %a, %mask"},
)
class MatchSyncAllOp(EffectInstruction):
    """`mask` if `a` has the same value in all lanes of `mask`, else zero; `agree` says which."""

    name = "ptx.match.sync.all"
    type = qualifier(*MATCH_TYPES)
    a = operand_def(REGISTER)
    mask = operand_def(B32)
    d = result_def(B32)
    agree = result_def(PRED)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}


@instruction("redux.sync.$operation.$abs.$nan.$type %d, %a, %mask", REDUX)
class ReduxSyncOp(EffectInstruction):
    """The sum, an extremum or a bitwise combination of `a` over the lanes of `mask`."""

    name = "ptx.redux.sync"
    operation = qualifier(*REDUX.values("operation"))
    abs = opt_qualifier(*REDUX.values("abs"))
    nan = opt_qualifier(*REDUX.values("nan"))
    type = qualifier(*REDUX.values("type"))
    a = operand_def(REGISTER)
    mask = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}

    def features(self) -> Sequence[str]:
        return ("redux_f32",) if self.type.data == "f32" else ()


@instruction("activemask.b32 %d")
class ActivemaskOp(EffectInstruction):
    """The lanes that execute the instruction together."""

    name = "ptx.activemask"
    d = result_def(B32)
