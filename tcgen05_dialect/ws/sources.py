"""The values from which a value is computed, also through loops, conditionals and regions."""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from .regions import HoldOp


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
