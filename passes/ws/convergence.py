"""Convergence of the lanes of a warp after control flow on which they do not agree."""

from collections.abc import Iterator, Sequence

from xdsl.dialects import scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Block, Operation, SSAValue

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ptx.memory import is_branch_over_stores
from tcgen05_dialect.ptx.structure import GuardOp
from tcgen05_dialect.ptx.synchronization import BarWarpSyncOp
from tcgen05_dialect.tcgen05.base import Tcgen05Operation
from tcgen05_dialect.ws.roles import ElectedOp, RoleOp
from tcgen05_dialect.ws.uniform import thread_source


def converge_lanes(role: RoleOp) -> None:
    """
    Synchronise the warp after each operation of a role where its lanes may take different branches.

    Accesses to tensor memory need all lanes of the warp together, and branches that join again do
    not bring them together (9.7.16.6.2). An operation inside such a branch needs nothing.
    """
    if not any(isinstance(op, Tcgen05Operation) for op in operations_of(role)):
        return
    body = role.body.block
    parting = [*_parting(body, role)]
    if not parting:
        return
    all_lanes = ConstantOp(IntegerAttr(-1, i32))
    body.insert_op_before(all_lanes, next(iter(body.ops)))
    for op in parting:
        sync = BarWarpSyncOp.assemble({"mask": (all_lanes.result,)})
        sync.location = op.location
        block = op.parent
        assert block is not None
        block.insert_op_after(sync, op)


def _parting(block: Block, role: RoleOp) -> Iterator[Operation]:
    """The outermost operations in a block that may part lanes, but those of one thread."""
    for op in block.ops:
        if any(thread_source(each, role) is not None for each in _conditions(op)):
            yield op
        elif not isinstance(op, ElectedOp):
            for region in op.regions:
                for inner in region.blocks:
                    yield from _parting(inner, role)


def _conditions(op: Operation) -> Sequence[SSAValue]:
    """The values that decide which branches of an operation a lane takes."""
    match op:
        case scf.IfOp():
            return [op.cond]
        case scf.ForOp():
            return [op.lb, op.ub, op.step]
        case scf.WhileOp():
            last = op.before_region.block.last_op
            return [] if last is None else [last.operands[0]]
        case GuardOp():
            return [op.predicate] if is_branch_over_stores(op) else []
        case _:
            return []
