"""Values on which the threads of a role agree (T5-WS-006)."""

from collections.abc import Iterable, Iterator

from xdsl.dialects import scf
from xdsl.dialects.vector import ReductionOp
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Violation
from ..isa.warp_specialization import UNIFORM_RULE
from ..ptx.memory import LdOp
from ..ptx.structure import SpecialRegisterOp
from ..ptx.synchronization import ShflSyncOp
from .base import enclosing, only_computes
from .regions import HoldOp
from .roles import RoleOp
from .sources import sources_of
from .tokens import AcquireOp
from .vectors import GlobalLoadOp, LocalLoadOp

_OF_THREADS = ("tid", "laneid", "lanemask", "warpid")
"""How the names of special registers begin that differ among the threads of a CTA."""


def thread_source(value: SSAValue, role: RoleOp) -> SSAValue | None:
    """
    A value that differs among the threads of a role, and on which `value` depends; None if none
    does.
    """
    seen = {value}
    pending = [value]
    while pending:
        each = pending.pop()
        needed = _needed(each, role)
        if needed is None:
            return each
        new = [other for other in needed if other not in seen]
        seen.update(new)
        pending.extend(new)
    return None


def _needed(value: SSAValue, role: RoleOp) -> Iterable[SSAValue] | None:
    """The values that determine a value; None if it may differ among threads by itself."""
    owner = value.owner
    if isinstance(owner, Block):
        return None if owner.parent_op() is role else sources_of(value)
    match owner:
        case AcquireOp():
            return ()
        case SpecialRegisterOp():
            return None if owner.register.data.startswith(_OF_THREADS) else ()
        case ShflSyncOp():
            # The lanes of one warp read the same lane.
            is_shared = role.warps_count == 1 and owner.mode.data == "idx"
            return (owner.lane,) if is_shared else owner.operands
        case LdOp() | LocalLoadOp() | GlobalLoadOp() | ReductionOp():
            return owner.operands
        case scf.IfOp() | scf.ForOp() | scf.WhileOp() | HoldOp():
            return sources_of(value)
        case _:
            return owner.operands if only_computes(owner) else None


def uniformity_findings(
    op: Operation, role: RoleOp, ring: str
) -> Iterator[tuple[Operation, Violation]]:
    """The violations by the conditions and loops around an operation on a stage of a ring."""
    for around in enclosing(op):
        if isinstance(around, RoleOp):
            return
        if isinstance(around, scf.IfOp):
            decides: tuple[SSAValue, ...] = (around.cond,)
        elif isinstance(around, scf.ForOp):
            decides = (around.lb, around.ub, around.step)
        else:
            continue
        for value in decides:
            source = thread_source(value, role)
            if source is not None:
                name = source.name_hint or "a value of the thread"
                found = f"%{name}" if source.name_hint else name
                what = f"what decides whether {_noun(op)} of %{ring} runs"
                legal = "the same for all threads of the role"
                yield around, UNIFORM_RULE.violation(f"it depends on {found}", legal, what)
                return


def _noun(op: Operation) -> str:
    return "a region" if isinstance(op, HoldOp) else op.name
