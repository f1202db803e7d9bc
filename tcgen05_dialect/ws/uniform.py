"""Values on which the threads of a role agree (T5-WS-006)."""

from collections.abc import Callable, Iterable, Iterator

from xdsl.dialects import arith, scf
from xdsl.dialects.vector import ReductionOp
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Violation
from ..isa.practice import UNIFORM_RULE
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx.instruction import Instruction
from ..ptx.instructions import LdOp, ShflSyncOp, SpecialRegisterOp
from ..ptx.known_values import constant_value
from ..ptx.structure import GuardOp
from ..tcgen05.base import Tcgen05Operation
from .base import enclosing, only_computes
from .copies import TmemCopyOp
from .products import MmaOp
from .regions import HoldOp, sources_of
from .rings import AllocOp
from .roles import ElectedOp, RoleBarrierOp, RoleOp
from .tma import TmaLoadOp, TmaStoreOp
from .tokens import AcquireOp
from .vectors import GlobalLoadOp, LocalLoadOp

Finding = tuple[Operation, Violation]
_ISSUED = (ElectedOp, MmaOp, TmaLoadOp, TmaStoreOp, TmemCopyOp)
_SAME = "the same for all threads of the role"
_OF_THREADS = ("tid", "laneid", "lanemask", "warpid")
"""How the names of special registers begin that differ among the threads of a CTA."""


def thread_source(
    value: SSAValue, role: RoleOp, is_trusted: Callable[[SSAValue], bool] = lambda _: False
) -> SSAValue | None:
    """
    A value that differs among the threads of a role, and on which `value` depends; None if none
    does. Threads agree on a trusted value.
    """
    seen = {value}
    pending = [value]
    while pending:
        each = pending.pop()
        if is_trusted(each):
            continue
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
        case AcquireOp() | AllocOp():
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


def issue_findings(op: Operation, role: RoleOp) -> Iterator[Finding]:
    """
    The violations by the control around an operation that one thread issues for the role, or that
    all threads execute together, and by its operands.
    """
    if isinstance(op, RoleBarrierOp):
        yield from uniformity_findings(op, role, op.name, _is_raw)
    elif isinstance(op, _ISSUED):
        yield from uniformity_findings(op, role, op.name, _is_of_warp)
        for operand in op.operands:
            source = thread_source(operand, role, _is_of_warp)
            if source is not None:
                what = f"%{operand.name_hint or 'operand'} of {op.name}, which one thread issues,"
                yield op, UNIFORM_RULE.violation(_found(source), _SAME, what)
                return


def _is_raw(value: SSAValue) -> bool:
    """Whether it is unknown if threads agree, because a raw operation gives the value."""
    owner = value.owner
    if isinstance(owner, Block | SpecialRegisterOp | ShflSyncOp):
        return False
    return isinstance(owner, Instruction | GuardOp | Tcgen05Operation)


def _is_of_warp(value: SSAValue) -> bool:
    """Whether the threads of a warp may agree: the one that issues is in the first warp."""
    match value.owner:
        case arith.DivUIOp() as op:
            divisor = constant_value(op.rhs)
            return divisor is not None and divisor % WARP_LANES == 0
        case arith.ShRUIOp() as op:
            shift = constant_value(op.rhs)
            return shift is not None and 1 << shift >= WARP_LANES
        case ShflSyncOp():
            return True
        case _:
            return _is_raw(value)


def uniformity_findings(
    op: Operation,
    role: RoleOp,
    name: str,
    is_trusted: Callable[[SSAValue], bool] = lambda _: False,
) -> Iterator[Finding]:
    """The violations by the conditions and loops around an operation; `name` is its name."""
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
            source = thread_source(value, role, is_trusted)
            if source is not None:
                what = f"what decides whether {name} runs"
                yield around, UNIFORM_RULE.violation(_found(source), _SAME, what)
                return


def _found(source: SSAValue) -> str:
    name = source.name_hint
    return f"it depends on {'a value of the thread' if name is None else f'%{name}'}"
