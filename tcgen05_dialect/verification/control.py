"""Values that decide what a kernel does to barriers, shared memory and tensor memory."""

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import StateSpace, is_strong
from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.analysis.control_slice import control_operands, operations, read_operands
from ..ptx.analysis.values import backwards, passed_values
from ..ptx.contract import AssumeOp
from ..ptx.effects import effects_of, global_places
from ..ptx.instructions import LdOp, MbarrierWaitOp, StOp
from ..ptx.kernel import KernelOp
from ..ptx.structure import GuardOp
from ..ptx.syntax import values_of, word_of
from .polling import ASKING


def decisive_values(kernel: KernelOp) -> set[SSAValue]:
    """The values on which control, barriers and addresses in shared and tensor memory depend; not
    those that only lead to places in global memory."""
    blocks = reverse_postorder(kernel.body)
    ops = list(operations(blocks))
    passed = passed_values(blocks)
    found = backwards(
        (
            operand
            for op in ops
            if not isinstance(op, AssumeOp)
            for operand, kind in kinds_of(op)
            if kind != "global"
        ),
        passed,
        read_operands,
    )
    if any(type(op) is LdOp and not found.isdisjoint(op.results) for op in ops):
        stored = (value for op in ops if type(op) is StOp for value in op.values)
        found |= backwards(stored, passed, read_operands)
    return found


def barriers_of(op: Operation) -> list[SSAValue]:
    """The operands of an operation that are addresses of barrier objects."""
    effects = effects_of(type(op))
    names = [
        name for area in effects.areas if area.space is StateSpace.BARRIER for name in area.operands
    ]
    names += filter(None, (effects.arrives_at, effects.completes_at))
    return [value for name in dict.fromkeys(names) for value in values_of(op, name)]


def _moves_global_data(op: Operation) -> bool:
    """Whether an operation only loads or stores global data that is not a flag."""
    if not isinstance(op, LdOp | StOp) or is_strong(word_of(op, "semantics")):
        return False
    return op.space is not None and op.space.data == "global"


def kinds_of(op: Operation) -> Iterator[tuple[SSAValue, str]]:
    """The operands on which the effects of an operation depend, each with what it is."""
    places = {value for name in global_places(op) for value in values_of(op, name)}
    moves = isinstance(op, GuardOp) and all(map(_moves_global_data, op.instructions))
    for operand in control_operands(op):
        if operand in places or moves:
            yield operand, "global"
        elif isinstance(op, MbarrierWaitOp | ASKING) and operand is getattr(op, "parity", None):
            yield operand, "parity"
        else:
            yield operand, ""
