"""Results of productions and consumptions: the values that are used after them."""

from collections.abc import Sequence

from xdsl.ir import Operation, OpResult
from xdsl.rewriter import Rewriter

from ..operations import ws
from ..ws.types import Buffer, TokenType


def give_used_values(kernel: Operation) -> None:
    """
    Let productions and consumptions give the values that are used after them.

    In Python, a variable of a `with` statement lives on after it; in IR, its value must be a result
    of the operation. Buffers and tokens of a region remain in it.
    """
    # The innermost region first: its results may be used after the next one, too.
    for op in reversed([*kernel.walk()]):
        if isinstance(op, ws.ProduceOp | ws.ConsumeOp):
            used = [
                result
                for inner in op.body.block.ops
                for result in inner.results
                if not isinstance(result.type, Buffer | TokenType)
                and not all(_is_inside(use.operation, op) for use in result.uses)
            ]
            if used:
                _give(op, used)


def _is_inside(op: Operation, around: ws.ProduceOp | ws.ConsumeOp) -> bool:
    return around.body.block.find_ancestor_op_in_block(op) is not None


def _give(op: ws.ProduceOp | ws.ConsumeOp, values: Sequence[OpResult]) -> None:
    """Replace an operation by one that gives these values, too."""
    end = op.body.block.last_op
    assert isinstance(end, ws.YieldOp)
    end.operands = [*end.operands, *values]
    new = type(op).create(
        operands=op.operands,
        result_types=[each.type for each in (*op.results, *values)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(0)],
        location=op.location,
    )
    results = new.results[len(op.results) :]
    Rewriter.replace_op(op, new, new.results[: len(op.results)])
    for value, result in zip(values, results, strict=True):
        value.replace_uses_with_if(result, lambda use: not _is_inside(use.operation, new))
