"""The kind of each operation in the sequential form, which decides about its role."""

from collections.abc import Iterator, Mapping

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from ...isa.model.rule import Violation
from ...isa.warp_specialization import FORM_RULE
from ...reporting.locations import text_place
from ...tcgen05.ld_st import LdOp, LdRedOp, StOp
from ...tcgen05.tensor_memory import SliceOp
from ..base import enclosing, only_computes
from ..copies import TmemCopyOp
from ..products import MmaOp
from ..rings import MMA, THREADS, TMA, AllocOp
from ..roles import ElectedOp, RoleOp
from ..tma import TmaLoadOp, TmaStoreOp
from ..uses import Use, uses_of
from ..vectors import LocalLoadOp, LocalStoreOp, TmemLoadOp, TmemStoreOp

ROLES: Mapping[str, str] = {TMA: "load", MMA: "mma", THREADS: "epilogue"}
"""By kind of operations, the name of their role."""
_ON_BUFFERS = (
    *(TmaLoadOp, TmaStoreOp, MmaOp, TmemCopyOp),
    *(TmemLoadOp, TmemStoreOp, LocalLoadOp, LocalStoreOp, LdOp, LdRedOp, StOp),
)


class Refusal(Exception):
    """The partition is impossible; `op` hinders it."""

    def __init__(self, op: Operation, violation: Violation) -> None:
        super().__init__(str(violation))
        self.op, self.violation = op, violation


def kind_of(op: Operation) -> str | None:
    """The kind of an operation; None for control, and for what each role computes for itself."""
    if isinstance(op, TmaLoadOp):
        return TMA
    if isinstance(op, MmaOp | TmemCopyOp):
        return MMA
    if isinstance(op, scf.ForOp | scf.IfOp | AllocOp) or op.has_trait(IsTerminator):
        return None
    return None if only_computes(op) else THREADS


def name_of(buffer: SSAValue) -> str:
    """The name of a buffer in messages."""
    return f"%{buffer.name_hint or 'buffer'}"


def with_line(op: Operation) -> str:
    """The name of an operation, with its line if it is known."""
    place = text_place(op.location)
    return op.name if place is None else f"{op.name} in line {place.line.data}"


def accesses(buffer: SSAValue) -> Iterator[Use]:
    """The accesses to a buffer. Raises Refusal for one that the partition does not know."""
    for use in uses_of(buffer):
        _check_place(use.op)
        if not isinstance(use.op, _ON_BUFFERS):
            found = f"{use.op.name} uses {name_of(buffer)}"
            sentence = f"{found}, and the partition does not know what it reads and writes"
            raise Refusal(use.op, FORM_RULE.violation(None, None, sentence=sentence))
        if isinstance(use.op, MmaOp) and use.writes:
            yield use._replace(reads=use.op.accumulate is not None)
        else:
            yield use


def _check_place(op: Operation) -> None:
    for around in enclosing(op):
        if isinstance(around, RoleOp):
            return
        if not isinstance(around, scf.ForOp | scf.IfOp):
            what = f"the operation around {op.name}"
            legal = "scf.for, scf.if or ws.role"
            raise Refusal(op, FORM_RULE.violation(around.name, legal, what))


def check_forms(role: RoleOp) -> None:
    """Refuse operations of the role that have no kind. Raises Refusal."""
    for op in role.walk():
        if isinstance(op, ElectedOp):
            sentence = "the partition does not know the role of what ws.elected contains"
            raise Refusal(op, FORM_RULE.violation(None, None, sentence=sentence))


def move_slices(role: RoleOp) -> None:
    """Give each user of a part of a buffer a part of its own, directly before it."""
    for op in [*role.walk()]:
        if isinstance(op, SliceOp):
            users = [*op.result.uses]
            for use in users[1:]:
                copy = op.clone()
                _insert_before(copy, use.operation)
                use.operation.operands[use.index] = copy.result
            if users:
                op.detach()
                _insert_before(op, users[0].operation)


def _insert_before(op: Operation, user: Operation) -> None:
    assert user.parent is not None
    user.parent.insert_op_before(op, user)
