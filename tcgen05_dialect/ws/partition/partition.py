"""
The partition of the sequential form: a role for each kind of operation, and a ring for each buffer
that roles hand to each other.
"""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...isa.practice import VALUE_RULE
from ...ptx.kernel import KernelOp
from ..base import SharedTileType, enclosing
from ..copies import TmemCopyOp
from ..kernel import Kernel
from ..rings import MMA, TMA, AllocOp
from ..roles import RoleOp, WarpSpecializeOp
from ..uniform import thread_source
from ..uses import Use
from ..vectors import LocalLoadOp, LocalStoreOp
from .needs import Needs, implicit_products
from .plan import MOST_STAGES, RingPlan, choose_stages, rings_of
from .rewrite import RoleBuilder, spans_of
from .turns import (
    ROLES,
    Refusal,
    Turns,
    accesses,
    check_forms,
    kind_of,
    move_slices,
    name_of,
    turns_of,
)


def sequential(function: KernelOp) -> WarpSpecializeOp | None:
    """The operation in a kernel that has the sequential form; None if it has another form."""
    own = [op for block in function.body.blocks for op in block.ops]
    found = [op for op in own if isinstance(op, WarpSpecializeOp) and op.is_sequential]
    return found[0] if found else None


def partition(function: KernelOp, op: WarpSpecializeOp, stages: int = MOST_STAGES) -> None:
    """
    Replace the only role of a kernel, which has the sequential form, by roles and rings. A ring
    that TMA fills has at most so many stages. Raises Refusal.
    """
    (role,) = op.roles
    _hoist_allocs(op, role)
    check_forms(role)
    move_slices(role)
    kernel = Kernel(op)
    uses: dict[SSAValue, list[Use]] = {
        each.buffer: _in_order(role, [*accesses(each.buffer)]) for each in kernel.allocs
    }
    for kind in (TMA, MMA):
        # Refuses what depends on data, before the turns depend on it.
        Needs(kind, role, frozenset())
    copied = _copied(uses)
    for matrix, tile in copied.items():
        # The tile is in use until the last product that reads its copy.
        readers = [use for use in uses[matrix] if not isinstance(use.op, TmemCopyOp)]
        uses[tile] = _in_order(
            role, [*uses[tile], *(use._replace(writes=False) for use in readers)]
        )
    turns: list[Turns] = []
    for buffer, own in uses.items():
        if buffer not in copied and own:
            found = turns_of(function, kernel, buffer, own)
            turns.extend([] if found is None else [found])
    turns.sort(key=lambda each: _place(role, each))
    plans = rings_of(kernel, turns, stages)
    choose_stages(kernel, plans, copied)
    _rewrite(kernel, role, plans, _exchanges(role, uses))


def with_roles(function: KernelOp) -> KernelOp:
    """The kernel or, if it has the sequential form, a copy with roles and rings. Raises Refusal."""
    if sequential(function) is None:
        return function
    copy = function.clone()
    op = sequential(copy)
    assert op is not None
    partition(copy, op)
    return copy


def _hoist_allocs(op: WarpSpecializeOp, role: RoleOp) -> None:
    block = op.parent
    assert block is not None
    for each in [*role.walk()]:
        if isinstance(each, AllocOp):
            each.detach()
            block.insert_op_before(each, op)


def _in_order(role: RoleOp, uses: Sequence[Use]) -> list[Use]:
    numbers = {op: at for at, op in enumerate(role.walk())}
    return sorted(uses, key=lambda use: numbers[use.op])


def _place(role: RoleOp, turns: Turns) -> int:
    """The number of the first operation that uses a buffer."""
    first = turns.runs[0].uses[0].op
    return next(at for at, op in enumerate(role.walk()) if op is first)


def _copied(uses: dict[SSAValue, list[Use]]) -> dict[SSAValue, SSAValue]:
    """By matrix, the tile that is copied to it, for products."""
    return {
        use.op.matrix: use.op.tile
        for own in uses.values()
        for use in own
        if isinstance(use.op, TmemCopyOp)
    }


def _exchanges(role: RoleOp, uses: dict[SSAValue, list[Use]]) -> set[Operation]:
    """The stores by which threads hand data to each other in shared memory. Raises Refusal."""
    found: set[Operation] = set()
    for buffer, own in uses.items():
        inside = [use.op for use in own]
        if isinstance(buffer.type, SharedTileType) and any(
            isinstance(op, LocalLoadOp) for op in inside
        ):
            found.update(op for op in inside if isinstance(op, LocalStoreOp))
    for op in found:
        _check_together(role, op)
    return found


def _check_together(role: RoleOp, op: Operation) -> None:
    """Refuse a store that not all threads execute together. Raises Refusal."""
    for around in enclosing(op):
        if around is role:
            return
        for value in around.operands:
            source = thread_source(value, role)
            if source is not None:
                name = name_of(source) if source.name_hint else "a value of the thread"
                sentence = (
                    f"the condition depends on {name}, but other threads read what {op.name} stores"
                )
                help_ = "let all threads store, or use a tile that they do not load"
                violation = VALUE_RULE.violation(None, None, sentence=sentence, help=help_)
                raise Refusal(around, violation)


def _rewrite(
    kernel: Kernel, role: RoleOp, plans: Sequence[RingPlan], exchanges: set[Operation]
) -> None:
    """Replace the role, and the buffers that rings own."""
    block = kernel.op.parent
    assert block is not None
    owned = {each.buffer for plan in plans for each in plan.turns}
    first = next((each for each in kernel.allocs if each.parent is block), kernel.op)
    for plan in plans:
        new = plan.make()
        owner = plan.first.buffer.owner
        assert isinstance(owner, AllocOp)
        new.location = owner.location
        block.insert_op_before(new, first)
    accumulators = [
        each.runs
        for plan in plans
        for each in plan.turns
        if not each.in_place
        if each.producer == MMA
    ]
    implicit = implicit_products(accumulators)
    present = {kind_of(op) for op in role.walk() if op is not role}
    for kind in ROLES:
        if kind in present:
            needs = Needs(kind, role, implicit)
            spans = spans_of(kind, plans)
            made = RoleBuilder(needs, spans, implicit, exchanges).build()
            kernel.op.body.block.insert_op_before(made, role)
    role.detach()
    role.drop_all_references()
    for alloc in kernel.allocs:
        if alloc.buffer in owned:
            alloc.detach()
            alloc.erase()
