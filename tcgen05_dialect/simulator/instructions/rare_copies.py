"""
Copies by each thread from global to shared memory (9.7.9.25.3).

Changes of tensor maps in memory (9.7.9.26.1, 9.7.13.15.18).

A change must come after the copies that use the map, and a later use after a fence that acquires
the change.

Instructions on cache lines (9.7.9.15, 9.7.9.16, 9.7.9.17).

createpolicy (9.7.9.18).

Caches are not modelled. The manual leaves the value of a policy open; here all are zero.

Accesses to memory of several GPUs (9.7.9.14). The emulator has one GPU.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.effects.model import COPIED_BY_THREAD
from ...isa.instructions.copies import MAP
from ...isa.practice import BOUNDS, UNWRITTEN
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at
from ...ptx.text.syntax import offset_of, word_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait, all_of
from ..machine.program import Handler, Program, nothing, unsupported
from ..machine.state import Warp
from ..machine.tensor_core import Counts, Task
from ..machine.tensor_map import replaced
from ..machine.tensor_memory import Memory
from ..numbers.floats import Lanes, every, some
from ..order.clocks import Clock, Clocks, GroupWait, Rows, mark_generic
from ..order.race_detector import Judge
from ..order.shadow import Where
from .bulk_copy import shared_address
from .mbarrier import barriers_of, threads_use
from .memory import spaces

_Part = tuple[Memory, Lanes, Where]


def _components(clocks: Clocks, warp: Warp) -> Rows:
    """The clock components that count the copies of the lanes of a warp."""
    copies = warp.thread_copies
    if copies.components is None:
        found = [clocks.component((copies, lane)) for lane in range(WARP_LANES)]
        copies.components = np.array(found)
    return copies.components


def _cp_async(op: ptx.CpAsyncOp, program: Program) -> Step:
    to, to_offset = program.index(op.destination), offset_of(op, "destination")
    source, source_offset = program.index(op.source), offset_of(op, "source")
    read_sizes = program.operands(op, "source_size")
    size = op.size.value.data

    def read_parts(group: Group) -> Iterator[tuple[int, _Part]]:
        """The bytes that are read: their number in each lane, memory, lanes and places."""
        addresses = group.read(source).astype(np.int64) + source_offset
        given = group.read(read_sizes[0]) if read_sizes else np.full(WARP_LANES, size)
        if some(given[group.mask] > size):
            found = f"source_size is {int(given[group.mask].max())}, but the copy has {size} bytes"
            raise fault(op, BOUNDS, found, "read at most as many bytes as the copy writes")
        space = group.machine.global_space
        for count in sorted({*given[group.mask & (given != 0)].tolist()}):
            lanes = group.mask & (given == count)
            for part in space.parts(op, addresses, lanes, count, size):
                yield count, part

    def step(group: Group) -> None:
        machine, warp, cta = group.machine, group.warp, group.warp.cta
        space, addresses = spaces(op, group, "shared", group.read(to))
        targets = [*space.parts(op, addresses + to_offset, group.mask, size)]
        sources = [*read_parts(group)]
        clocks, judge = cta.cluster.clocks, machine.judge
        numbers = warp.thread_copies.start(group.mask)
        access = judge.copies(op, warp, _components(clocks, warp), numbers, COPIED_BY_THREAD)
        for _, (memory, lanes, where) in sources:
            judge.lanewise(access, memory, lanes, where, False)
        for memory, lanes, where in targets:
            memory.check_opaque(op, where)
            if memory is not cta.shared:
                found = f"{cta.name} executes the copy, but it writes {memory.name}"
                raise fault(op, BOUNDS, found, "copy to the shared memory of the executing CTA")
            judge.lanewise(access, memory, lanes, where, True)

        def copy() -> None:
            data = np.zeros((WARP_LANES, size), np.uint8)
            for count, (memory, lanes, where) in sources:
                if not every(memory.written[where.index]):
                    found = f"{count} bytes of {memory.name} were never written"
                    raise fault(op, UNWRITTEN, found)
                data[lanes, :count] = memory.bytes[where.index]
            for memory, lanes, where in targets:
                memory.bytes[where.index] = data[lanes]
                memory.written[where.index] = True

        warp.thread_copies.add(numbers, machine.issue(Task(op, [copy])))

    return step


def _commit_group(op: Operation, program: Program) -> Step:
    def step(group: Group) -> None:
        group.warp.thread_copies.commit(group.lanes)

    return step


def _waiting(group: Group, last: Counts, what: str) -> Wait | None:
    """The wait of a group for the copies up to the last one of each lane."""
    warp, clocks, lanes = group.warp, group.warp.cta.cluster.clocks, group.lanes
    components = _components(clocks, warp)[lanes]

    def learn() -> None:
        clocks.complete_each(warp.rows[lanes], components, last[lanes], Clock.SEEN)

    return all_of(warp.thread_copies.tasks(last), what, learn).or_go_on()


def _wait_group(op: ptx.CpAsyncWaitGroupOp, program: Program) -> Step:
    pending = op.pending.value.data
    what = f"all but the newest {pending} groups of copies" if pending else "all groups of copies"

    def step(group: Group) -> Wait | None:
        warp, clocks, copies = group.warp, group.warp.cta.cluster.clocks, group.warp.thread_copies
        components, numbers = _components(clocks, warp).tolist(), clocks.numbers(warp.rows).tolist()
        for lane in group.lanes if pending else ():
            wait = GroupWait(op, pending, copies.newest(lane, pending), numbers[lane])
            clocks.record_wait(components[lane], wait)
        return _waiting(group, copies.last(group.lanes, pending), what)

    return step


def _wait_all(op: Operation, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        started = group.warp.thread_copies.started
        return _waiting(group, np.where(group.mask, started, 0), "all copies")

    return step


def _mbarrier_arrive(op: Any, program: Program) -> Step:
    barriers, adds = barriers_of(op, program), op.increment is None

    def step(group: Group) -> None:
        machine, warp = group.machine, group.warp
        clocks, components = warp.cta.cluster.clocks, _components(warp.cta.cluster.clocks, warp)
        for cta, address, rows in barriers(group):
            barrier = cta.mbarrier(op, address)
            threads_use(op, barrier, rows, group.machine.judge)
            lanes = np.zeros(WARP_LANES, np.bool_)
            lanes[rows - warp.rows[0]] = True
            last = np.where(lanes, warp.thread_copies.started, 0)
            message = clocks.release(rows)
            for lane in lanes.nonzero()[0].tolist():
                message = mark_generic(message, int(components[lane]), int(last[lane]))
            if adds:
                barrier.pending += len(rows)
            came = warp.brings(op, len(rows))
            arrive = partial(barrier.arrive, came, message, rows)
            machine.issue(Task(op, [arrive], warp.thread_copies.tasks(last), barrier))

    return step


_SIZE, _ALIGNMENT = MAP.bytes, MAP.alignment


def _replacing(op: Any, program: Program, value: Callable[[Group], Lanes]) -> Step:
    """Step that replaces a field of a map by a value in each lane."""
    address, offset = program.index(op.address), offset_of(op, "address")
    space, field = word_of(op, "space"), op.field.data
    ordinal = op.ordinal.value.data if hasattr(op, "ordinal") else 0

    def step(group: Group) -> None:
        state, addresses = spaces(op, group, space, group.read(address))
        values = value(group)
        parts = state.parts(op, addresses + offset, group.mask, _SIZE, _ALIGNMENT)
        for memory, lanes, where in parts:
            memory.check_opaque(op, where)
            cells: Any = where.index
            _check_written(op, group.machine.judge, memory, cells)
            group.machine.judge.threads(op, group.warp, memory, lanes, where, True)
            for lane, first in zip(lanes.tolist(), cells[:, 0].tolist(), strict=True):
                content = memory.bytes[first : first + _SIZE]
                changed = replaced(content.tobytes(), field, ordinal, int(values[lane]))
                content[:] = np.frombuffer(changed, np.uint8)
                if state is group.machine.global_space:
                    group.machine.changed_maps[memory.base + first] = op

    return step


def _check_written(op: Operation, judge: Judge, memory: Memory, cells: Any) -> None:
    """Check that the bytes of a tensor map were written."""
    written = memory.written[cells]
    if not every(written):
        place = memory.place(int(cells[~written][0]))
        text = f"{place}, a part of the tensor map, was never written"
        of_map = np.flatnonzero(written.reshape(-1, _SIZE).all(axis=0))
        judge.report(op, UNWRITTEN, text, written_of_map=frozenset(of_map.tolist()))
        # One warning for each map suffices.
        memory.written[cells] = True


def _replace(op: Any, program: Program) -> Step:
    index = program.index(op.value)
    return _replacing(op, program, lambda group: group.read(index))


def _replace_mode(op: ptx.TensormapReplaceModeOp, program: Program) -> Step:
    value = op.value.value.data
    return _replacing(op, program, lambda group: np.full(group.mask.size, value))


def _cp_fenceproxy(op: ptx.TensormapCpFenceproxyOp, program: Program) -> Step:
    source = shared_address(op, program, "source")
    destination, offset = program.index(op.destination), offset_of(op, "destination")

    def step(group: Group) -> None:
        # The warp copies one map.
        machine, cta, lane = group.machine, group.warp.cta, group.lanes[0]
        memory, start = cta.cluster.space.find(op, source(group, lane), _SIZE)
        if memory is not cta.shared:
            found = f"{cta.name} executes the copy, but it reads {memory.name}"
            raise fault(op, BOUNDS, found, "use the shared memory of the executing CTA")
        to = int(group.read(destination)[lane]) + offset
        target, first = machine.global_space.find(op, to, _SIZE)
        lanes, judge = np.array([lane]), machine.judge
        for each, at, written in ((memory, start, False), (target, first, True)):
            where = Where.runs(np.array([at]), _SIZE)
            each.check_opaque(op, where)
            judge.threads(op, group.warp, each, lanes, where, written)
        _check_written(op, judge, memory, np.arange(start, start + _SIZE))
        target.bytes[first : first + _SIZE] = memory.bytes[start : start + _SIZE]
        target.written[first : first + _SIZE] = True
        machine.changed_maps[to] = op

    return step


def _discard(op: ptx.DiscardOp, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    size = bytes_at(op, "address")

    def step(group: Group) -> None:
        addresses = group.read(address).astype(np.int64) + offset
        space = group.machine.global_space
        for memory, lanes, where in space.parts(op, addresses, group.mask, size):
            group.machine.judge.threads(op, group.warp, memory, lanes, where, True)
            # Without data, all bytes of global memory count as written.
            if group.machine.computes:
                memory.written[where.index] = False

    return step


def _policy(op: Operation, program: Program) -> Step:
    result = program.index(op.results[0])

    def step(group: Group) -> None:
        group.write(result, np.zeros(WARP_LANES, np.uint64))

    return step


_access = unsupported("addresses of the memory of several GPUs")


HANDLERS: dict[type[Operation], Handler] = {
    ptx.CpAsyncOp: _cp_async,
    ptx.CpAsyncCommitGroupOp: _commit_group,
    ptx.CpAsyncWaitGroupOp: _wait_group,
    ptx.CpAsyncWaitAllOp: _wait_all,
    ptx.CpAsyncMbarrierArriveOp: _mbarrier_arrive,
    # Caches are not modelled.
    ptx.CpAsyncBulkPrefetchTensorIm2colOp: nothing,
    ptx.TensormapReplaceOp: _replace,
    ptx.TensormapReplaceDimensionOp: _replace,
    ptx.TensormapReplaceModeOp: _replace_mode,
    ptx.TensormapCpFenceproxyOp: _cp_fenceproxy,
    # Caches are not modelled.
    ptx.PrefetchuOp: nothing,
    ptx.ApplypriorityOp: nothing,
    ptx.DiscardOp: _discard,
    ptx.CreatepolicyFractionalOp: _policy,
    ptx.CreatepolicyRangeOp: _policy,
    ptx.CreatepolicyCvtOp: _policy,
    ptx.MultimemLdReduceOp: _access,
    ptx.MultimemStOp: _access,
    ptx.MultimemRedOp: _access,
}
