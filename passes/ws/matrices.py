"""The matrices of ws.alloc, and their copies for the stages from which they are filled."""

from collections.abc import Callable
from functools import partial

from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.ws.base import enclosing
from tcgen05_dialect.ws.copies import TmemCopyOp
from tcgen05_dialect.ws.rings import MMA, AllocOp, HoldingOp

from .context import RoleContext


def place_copies(role: RoleContext, op: HoldingOp, stage: SSAValue) -> None:
    """Place the matrices that copies of a stage fill: those of the stage."""
    for each in [] if op.home is None or op.kind != MMA else [*op.home.ops]:
        if (
            isinstance(each, TmemCopyOp)
            and each.tile in op.buffers
            and isinstance(alloc := each.matrix.owner, AllocOp)
        ):
            place_matrix(role, alloc, stage, partial(_uses_copy, each))


def place_matrix(
    role: RoleContext, alloc: AllocOp, stage: SSAValue, is_user: Callable[[Operation], bool]
) -> None:
    """Replace a matrix, in some operations, by its part of tensor memory."""
    (place,) = role.memory.sizes.places[alloc.buffer]
    matrix = role.memory.buffer(role.emit, place, stage)
    matrix.name_hint = alloc.buffer.name_hint
    alloc.buffer.replace_uses_with_if(matrix, lambda use: is_user(use.operation))


def _uses_copy(copy: TmemCopyOp, op: Operation) -> bool:
    """Whether a copy is the last one to its matrix before an operation, or the operation itself."""
    for each in (op, *enclosing(op)):
        before: Operation | None = each
        while before is not None:
            if isinstance(before, TmemCopyOp) and before.matrix is copy.matrix:
                return before is copy
            before = before.prev_op
    return False
