"""Tasks of asynchronous operations that complete bytes on a barrier object (9.7.13.15)."""

from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from ...isa.completion import Completion
from ..machine.machine import Group
from ..machine.state import Cta
from ..machine.tensor_core import Task
from ..order.events import PENDING, Access
from .mbarrier import check_visible


def tracked(
    op: Operation,
    group: Group,
    lane: int,
    place: tuple[Cta, int],
    completion: Completion,
    size: int,
    touch: Callable[[Access], None],
    steps: Sequence[Callable[[], None]],
) -> Task:
    """
    Task of an operation that a lane issues; after its steps it completes `size` bytes on the
    barrier object at a place. `touch` checks its accesses. Raises OperationError.
    """
    owner, address = place
    barrier = owner.mbarrier(op, address)
    judge, clocks, rows = group.machine.judge, barrier.clocks, group.warp.rows[[lane]]
    remote, phases = owner is not group.warp.cta, barrier.phases
    check_visible(op, barrier, rows, judge, remote)
    issued = completion.at(barrier.name, phases.over)
    access = judge.operation(
        op, group.warp, rows, phases.component, completion=issued, lanes=group.width
    )
    touch(access)
    message = clocks.release(rows)
    barrier.use(phases.component, PENDING, remote)
    came = group.warp.brings(op, completed=size)

    def complete() -> None:
        judge.events.complete(access.first, phases.over + 1)
        barrier.use(phases.component, phases.over + 1, remote)
        barrier.complete(came, message)

    return Task(op, [*steps, complete], signals=barrier)
