"""
Tasks of asynchronous operations that complete bytes on a barrier object (9.7.13.15).

Tasks of asynchronous operations that complete with a bulk group (9.7.9.25.6).
"""

from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from ...isa.completion import Completion
from ...ptx.effects import completions_of
from ..machine.machine import Group
from ..machine.state import Cta
from ..machine.tensor_core import BulkGroups, BulkStore, Task
from ..order.clocks import Clocks
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


def component(clocks: Clocks, groups: BulkGroups, lane: int, completion: Completion) -> int:
    """Clock component that counts the groups of a lane with a completion."""
    return clocks.component((groups, lane, completion))


def issue_grouped(
    op: Operation,
    group: Group,
    lane: int,
    touch: Callable[[Access, Access], None],
    read: Callable[[], None],
    write: Callable[[], None],
) -> BulkStore:
    """
    Issue an operation of a lane as part of its current bulk group: it reads its source, and writes
    later. `touch` checks these two accesses. Raises OperationError.
    """
    warp, groups = group.warp, group.warp.bulk_groups
    completions, store = completions_of(op), BulkStore()
    groups.add(lane, store)
    clocks, number = warp.cta.cluster.clocks, groups.number(lane) + 1
    accesses = (
        group.machine.judge.operation(
            op,
            warp,
            warp.rows[[lane]],
            component(clocks, groups, lane, completion),
            number,
            completion,
            group.width,
        )
        for completion in completions
    )
    reading, writing = accesses
    touch(reading, writing)
    source_read, written = completions

    def read_source() -> None:
        read()
        store.reached.add(source_read)

    def complete() -> None:
        store.reached.add(written)

    group.machine.issue(Task(op, [read_source, write, complete], signals=store))
    return store
