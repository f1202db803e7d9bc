"""
Productions that overwrite a whole buffer. Only then may a ring have several stages: one stage keeps
what earlier operations wrote, but another stage does not have it.
"""

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from ...isa.tensor_memory.cells import WARP_LANES
from ...ptx.known_values import constant_value
from ...tcgen05.types import TensorMemoryType
from ..holdings import MMA, TMA
from ..mma import MmaOp
from ..roles import RoleOp
from ..tma import TmaStoreOp
from ..types import SharedTileType
from ..vector_access import vector_shape
from ..vectors import LocalStoreOp, TmemStoreOp
from .turns import Run


def overwrites(run: Run, buffer: SSAValue, role: RoleOp) -> bool:
    """Whether a run certainly overwrites a whole buffer, and before it reads it."""
    if run.kind == TMA:
        return True
    if run.kind == MMA:
        return starts_anew(run)
    if any(use.reads and not isinstance(use.op, TmaStoreOp) for use in run.uses):
        return False
    parts = [part for use in run.uses for part in _written(use.op, run, buffer, role)]
    reached = 0
    for first, end in sorted(parts):
        if first > reached:
            return False
        reached = max(reached, end)
    return reached >= _columns(buffer)


def _columns(buffer: SSAValue) -> int:
    type_ = buffer.type
    if isinstance(type_, SharedTileType):
        return type_.extents[1]
    assert isinstance(type_, TensorMemoryType)
    return type_.columns.data


def _written(op: Operation, run: Run, buffer: SSAValue, role: RoleOp) -> Iterator[tuple[int, int]]:
    """The columns that a store of threads certainly writes in all rows: the first, and the end."""
    if not isinstance(op, TmemStoreOp | LocalStoreOp) or op.memory is not buffer:
        return
    shape = vector_shape(op.value.type)
    assert shape is not None
    *rows, column = op.mixed_indices
    if isinstance(buffer.type, SharedTileType) and (
        rows != [role.thread] or buffer.type.extents[0] > role.warps_count * WARP_LANES
    ):
        return
    loop = op.parent_op()
    if isinstance(column, int):
        number: int | None = column
    else:
        number = constant_value(column)
    if number is not None and op.parent is run.block:
        yield number, number + shape[0]
    elif isinstance(loop, scf.ForOp) and loop.parent is run.block:
        bounds = [constant_value(each) for each in (loop.lb, loop.ub, loop.step)]
        first, end, step = bounds
        if column is loop.body.block.args[0] and None not in bounds:
            # Later columns are outside of the buffer.
            for at in range(first or 0, min(end or 0, _columns(buffer)), step or 1):
                yield at, at + shape[0]


def starts_anew(run: Run) -> bool:
    """
    Whether the first product of a run, and no other, overwrites D: it is unconditional, or in a
    loop under a condition that is false in the first iteration only.
    """
    products = [use.op for use in run.uses if isinstance(use.op, MmaOp) and use.writes]
    if not products or len(products) != len([use for use in run.uses if use.writes]):
        return False
    first, *others = products
    if not all(_is_constant(each, True) for each in others):
        return False
    if first.parent is run.block:
        return _is_constant(first, False)
    loop = first.parent_op()
    return (
        isinstance(loop, scf.ForOp)
        and loop.parent is run.block
        and all(_is_inside(each, loop) for each in others)
        and first.accumulate is not None
        and _is_later(first.accumulate, loop)
    )


def _is_constant(op: MmaOp, accumulates: bool) -> bool:
    if op.accumulate is None:
        return not accumulates
    number = constant_value(op.accumulate)
    return number is not None and bool(number) == accumulates


def _is_inside(op: Operation, loop: Operation) -> bool:
    around = op.parent_op()
    while around is not None and around is not loop:
        around = around.parent_op()
    return around is loop


def _is_later(condition: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a condition is false in the first iteration of a loop, and true in all others."""
    op = condition.owner
    if not isinstance(op, arith.CmpiOp):
        return False
    comparison = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    counter = loop.body.block.args[0]
    if op.lhs is counter and comparison in ("ne", "sgt"):
        other = op.rhs
    elif op.rhs is counter and comparison in ("ne", "slt"):
        other = op.lhs
    else:
        return False
    number = constant_value(other)
    return other is loop.lb or (number is not None and number == constant_value(loop.lb))


def implicit_products(runs: Iterable[Sequence[Run]]) -> set[Operation]:
    """The products of runs that need no condition, because the first one in each run overwrites."""
    return {
        use.op
        for several in runs
        for run in several
        if run.kind == MMA and starts_anew(run)
        for use in run.uses
        if use.writes
    }
