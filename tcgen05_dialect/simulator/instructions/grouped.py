"""Tasks of asynchronous operations that complete with a bulk group (9.7.9.25.6)."""

from collections.abc import Callable

from xdsl.ir import Operation

from ...isa.completion import Completion
from ...ptx.effects import completions_of
from ..machine.machine import Group
from ..machine.tensor_core import BulkGroups, BulkStore, Task
from ..order.clocks import Clocks
from ..order.events import Access


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
