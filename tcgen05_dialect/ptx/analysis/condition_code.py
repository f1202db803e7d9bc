"""
The contents of the condition code register (9.7.2).

The text of an instruction does not name the carry that it reads. A carry may therefore be read only
where the register still holds it: on no path does another instruction write the register between
the one that sets the carry and the one that reads it.
"""

from collections.abc import Iterable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from ...isa.model.rule import Violation
from ...isa.ptx.extended_precision import CARRY_RULE, sets_condition_code
from ...reporting.operation_error import located
from ..call import CallOp
from ..inline import InlineOp
from ..structure import GuardOp, UndefinedOp
from ..types import CarryType


def carries_of(values: Iterable[SSAValue]) -> list[SSAValue]:
    """The carries among some values."""
    return [value for value in values if isinstance(value.type, CarryType)]


def check_carry(op: Operation, carry: SSAValue) -> None:
    """
    Check that the condition code register holds `carry` where `op` reads it. What comes before a
    region is not followed, except before a guard. Raises Violation.
    """
    if isinstance(carry.owner, UndefinedOp):
        return
    outer = op.parent_op()
    place = outer if isinstance(outer, GuardOp) else op
    pending: list[tuple[Block | None, Operation | None]] = [(place.parent, place.prev_op)]
    seen: set[Block] = set()
    while pending:
        block, last = pending.pop()
        writer = _writer(last)
        if writer is not None:
            if carry not in writer.results:
                raise CARRY_RULE.violation(f"that of {writer.name}", "the one that it reads")
        elif block is not None and carry.owner is not block:
            if carries_of(block.args):
                raise CARRY_RULE.violation("the argument of a block", "the one that it reads")
            before = [each for each in block.predecessors() if each not in seen]
            seen.update(before)
            pending += [(each, each.last_op) for each in before]


def check_carries(blocks: Iterable[Block]) -> None:
    """Check all carries that are read in some blocks. Raises OperationError."""
    for block in blocks:
        for op in block.ops:
            for carry in carries_of(op.operands):
                try:
                    check_carry(op, carry)
                except Violation as violation:
                    raise located(op, violation) from violation


def _writer(last: Operation | None) -> Operation | None:
    """The last operation, from `last` backwards in its block, that may write the register."""
    while last is not None and not _writes(last):
        last = last.prev_op
    return last


def _writes(op: Operation) -> bool:
    if isinstance(op, CallOp) or carries_of(op.results):
        return True
    if isinstance(op, InlineOp):
        return sets_condition_code(op.text.data.partition(" ")[0].split("."))
    return any(_writes(each) for each in _inside(op))


def _inside(op: Operation) -> Sequence[Operation]:
    return [each for region in op.regions for block in region.blocks for each in block.ops]
