"""
The values from which a value is computed, and those to which it is passed on, also through loops,
conditionals and regions.
"""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from .regions import HoldOp, YieldOp
from .rings import HoldingOp
from .tokens import AcquireOp


def sources_of(value: SSAValue) -> Iterator[SSAValue]:
    """The values from which a value is computed in one step; none for arguments of other blocks."""
    match value:
        case OpResult():
            yield from _of_result(value.owner, value.index)
        case BlockArgument():
            around = value.owner.parent_op()
            if isinstance(around, scf.ForOp):
                yield from (around.lb, around.ub, around.step)
                if value.index:
                    yield from _carried(around, value.index - 1)
            elif isinstance(around, scf.WhileOp):
                yield from _everything(around)
        case _:
            pass


def _of_result(op: Operation, index: int) -> Iterator[SSAValue]:
    match op:
        case scf.ForOp():
            yield from (op.lb, op.ub, op.step)
            yield from _carried(op, index)
        case scf.IfOp():
            yield op.cond
            for region in op.regions:
                yield from _yielded(region.block.last_op, index)
        case HoldOp():
            yield from _yielded(op.body.block.last_op, index)
        case _:
            yield from _everything(op)


def _carried(loop: scf.ForOp, index: int) -> Iterator[SSAValue]:
    yield loop.iter_args[index]
    yield from _yielded(loop.body.block.last_op, index)


def _yielded(end: Operation | None, index: int) -> Iterator[SSAValue]:
    if end is not None:
        yield end.operands[index]


def _everything(op: Operation) -> Iterator[SSAValue]:
    yield from op.operands
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield from block.last_op.operands


def holding_of(value: SSAValue) -> HoldingOp | None:
    """
    The operation that takes the stage of a buffer or a token; None for another value, such as the
    buffer of a ws.alloc. Of several that loops and conditionals join, it is the first: they agree
    (T5-WS-007).
    """
    owner = value.owner
    if isinstance(value, BlockArgument) and isinstance(around := owner.parent_op(), HoldOp):
        return around
    seen = {value}
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each.owner, AcquireOp):
            return each.owner
        if each.type == value.type and not _is_computed(each):
            new = [other for other in sources_of(each) if other not in seen]
            seen.update(new)
            pending.extend(reversed(new))
    return None


def _is_computed(value: SSAValue) -> bool:
    """Whether an operation computes a value, rather than passing it on."""
    owner = value.owner
    return isinstance(owner, Operation) and not isinstance(owner, scf.ForOp | scf.IfOp | HoldOp)


def passed_on(value: SSAValue) -> list[SSAValue]:
    """A value and, in order, those by which loops, conditionals and regions pass it on."""
    found = {value: None}
    pending = [value]
    while pending:
        for use in [*pending.pop().uses]:
            new = [each for each in _targets(use.operation, use.index) if each not in found]
            found.update(dict.fromkeys(new))
            pending.extend(new)
    return [*found]


def _targets(op: Operation, index: int) -> Iterator[SSAValue]:
    """The values to which an operand of control flow is passed on."""
    if isinstance(op, scf.ForOp):
        if (at := index - _BOUNDS) >= 0:
            yield from (op.body.block.args[1 + at], op.results[at])
    elif isinstance(op, scf.YieldOp | YieldOp):
        around = op.parent_op()
        if isinstance(around, scf.ForOp):
            yield from (around.body.block.args[1 + index], around.results[index])
        elif isinstance(around, scf.IfOp | HoldOp):
            yield around.results[index]


_BOUNDS = 3
"""The operands of scf.for before the values that it carries."""
