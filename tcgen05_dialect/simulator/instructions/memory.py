"""Instructions for loads, stores and address conversions."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation, SSAValue

from ...isa.effects.model import CLUSTER_SCOPES, Ordering, is_strong
from ...isa.instructions.memory import PARAMETER_SPACES
from ...isa.practice import BOUNDS, GENERIC_ADDRESS, UNSUPPORTED
from ...isa.ptx.ptx_text import TYPE_BITS
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at, scope_of
from ...ptx.register_types import register_bits
from ...ptx.text.syntax import offset_of, word_of
from ..machine.errors import fault
from ..machine.gathering import Storing
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program, nothing, pure
from ..machine.state import Warp
from ..machine.tensor_memory import (
    CONSTANT_WINDOW,
    LOCAL_WINDOW,
    PARAMETER_WINDOW,
    RANK_SHIFT,
    SHARED_WINDOW,
    SPACE_BYTES,
    Bytes,
    Memory,
    Posted,
    Space,
    Touch,
    aligned,
    data_of,
    words,
)
from ..numbers.floats import Lanes, every, some, unsigned
from ..order.clocks import Clock, Message, Rows
from ..order.shadow import Where
from .synchronization import order_of


def _window(space: str) -> int:
    """The generic address of the first byte of a state space."""
    return next((start for start, name in _WINDOWS if space.startswith(name)), 0)


_WINDOWS = (
    (SHARED_WINDOW, "shared"),
    (PARAMETER_WINDOW, "param"),
    (LOCAL_WINDOW, "local"),
    (CONSTANT_WINDOW, "const"),
)
_LANES = np.arange(WARP_LANES)


def spaces(op: Operation, group: Group, space: str | None, addresses: Lanes) -> tuple[Space, Lanes]:
    """The state space of an access, and the addresses in this space. Raises OperationError."""
    wide, start = addresses.astype(np.int64), 0
    if space is None:
        space, start = _generic_space(op, wide[group.mask])
    if space == "global":
        return group.machine.global_space, wide
    if space in PARAMETER_SPACES:
        return group.machine.parameters, wide - start
    if space == "const":
        return group.machine.constants, wide - start
    if space == "local":
        return _local(op, group, wide - start)
    if start == 0:
        start = shared_start(op, group, wide[group.mask])
    return group.warp.cta.cluster.space, wide - start


def shared_start(op: Operation, group: Group, addresses: Lanes) -> int:
    """The first address of shared memory, as an instruction on shared memory gets its addresses:
    0 or, after a warning, that of its window if they are generic."""
    if not _is_inside(addresses, SHARED_WINDOW):
        return 0
    text = f"the address {int(addresses[0]):#x} is a generic address"
    group.machine.judge.report(op, GENERIC_ADDRESS, text)
    return SHARED_WINDOW


def _local(op: Operation, group: Group, addresses: Lanes) -> tuple[Space, Lanes]:
    """The local memory of the threads of a warp, one after the other, and the addresses in it."""
    warp, size = group.warp, group.machine.local_bytes
    outside = (addresses < 0) | (addresses >= size)
    if some(outside & group.mask):
        found = f"byte {int(addresses[outside & group.mask][0])} is not in local memory"
        raise fault(op, BOUNDS, f"{found}, which has {size} bytes")
    stride = aligned(size, WARP_LANES)
    if warp.local is None:
        warp.local = Space("local")
        bytes_ = WARP_LANES * stride
        # Copies of structures read bytes between their members, which nothing has written.
        written = np.ones(bytes_, np.bool_)
        name = f"local memory of {warp.name}"
        warp.local.add(Memory(name, 0, np.zeros(bytes_, np.uint8), written))
    return warp.local, addresses + _LANES * stride


def _generic_space(op: Operation, addresses: Lanes) -> tuple[str, int]:
    """The state space of generic addresses, and its first one. Raises OperationError."""
    for start, space in _WINDOWS:
        if _is_inside(addresses, start):
            return space, start
        if some((addresses >= start) & (addresses < start + SPACE_BYTES)):
            raise fault(op, UNSUPPORTED, "the lanes access different state spaces")
    return "global", 0


def is_in_window(addresses: Lanes, space: str) -> Lanes:
    """Which generic addresses are in the window of a state space other than global memory."""
    start = _window(space)
    return (addresses >= start) & (addresses < start + SPACE_BYTES)


def _is_inside(addresses: Lanes, start: int) -> bool:
    """Whether all generic addresses are in the window of a state space that begins at `start`."""
    return every((addresses >= start) & (addresses < start + SPACE_BYTES))


def touching(op: Operation) -> Callable[[Group], Touch]:
    """Function that checks an access of a group for races and, if it has semantics, updates the
    clocks."""

    def checking(group: Group) -> Touch:
        judge, warp = group.machine.judge, group.warp

        def check(memory: Memory, lanes: Lanes, where: Where, values: Bytes | None) -> None:
            keeps = None
            if values is not None:
                keeps = memory.keeping(where, values)
                starts: Any = where.index if where.rows is None else where.rows[0][:, None]
                if len(set(starts[:, 0].tolist())) < lanes.size:
                    judge.shared.add(op)
            judge.threads(op, warp, memory, lanes, where, values is not None, keeps)

        return check

    def touching_strongly(group: Group) -> Touch:
        check, warp = checking(group), group.warp

        def touch(memory: Memory, lanes: Lanes, where: Where, values: Bytes | None) -> None:
            check(memory, lanes, where, values)
            offsets: Any = where.index
            for lane, offset in zip(lanes.tolist(), offsets[:, 0].tolist(), strict=True):
                if values is not None:
                    memory.messages[offset] = post(op, warp, warp.rows[[lane]])
                elif offset in memory.messages:
                    receive(op, warp, warp.rows[[lane]], memory.messages[offset])

        return touch

    return touching_strongly if is_strong(word_of(op, "semantics")) else checking


def post(op: Operation, warp: Warp, rows: Rows) -> Posted:
    """The messages of a write with semantics by a thread."""
    clocks = warp.cta.cluster.clocks
    orders = {far: order_of(op, far, Ordering.RELEASE) for far in (False, True)}
    near, far = (clocks.release(rows, order, is_far) for is_far, order in orders.items())
    for message, (is_far, order) in zip((near, far), orders.items(), strict=True):
        clocks.record(op, rows, message, order, is_far, acquires=False)
    is_beyond = scope_of(op) not in CLUSTER_SCOPES
    outside = {**clocks.others, clocks.index: far[Clock.SEEN]} if is_beyond else {}
    return Posted(clocks, warp.cta.rank, near, far, outside)


def receive(op: Operation, warp: Warp, rows: Rows, posted: Posted) -> Message | None:
    """Let a thread acquire messages by a read with semantics; returns that of its own cluster."""
    clocks, message = warp.cta.cluster.clocks, None
    if posted.clocks is clocks:
        far = posted.rank != warp.cta.rank
        message, order = posted.far if far else posted.near, order_of(op, far, Ordering.ACQUIRE)
        clocks.acquire(rows, message, order, far)
        clocks.record(op, rows, message, order, far, acquires=True)
    if scope_of(op) not in CLUSTER_SCOPES:
        clocks.learn(posted.outside, order_of(op, True, Ordering.ACQUIRE))
    return message


def _extended(values: Lanes, type_: str, bits: int) -> Lanes:
    """Extend a loaded element to the width of its register."""
    if type_.startswith("s"):
        return values.view(f"i{values.itemsize}").astype(f"i{bits // 8}").view(unsigned(bits))
    return values.astype(unsigned(bits))


def _ld(op: ptx.LdOp, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    results = [program.index(value) for value in op.values]
    type_, space = op.type.data, word_of(op, "space")
    bits = TYPE_BITS[type_]
    size = bytes_at(op, "address")
    widths = [register_bits(value.type) or 0 for value in op.values]
    touch, polls = touching(op), is_strong(word_of(op, "semantics"))
    needed = needed_bytes(op)

    def step(group: Group) -> None:
        memory, addresses = spaces(op, group, space, group.read(address))
        data = memory.load(op, addresses + offset, group.mask, size, touch(group), needed)
        for result, width, value in zip(results, widths, words(data, bits), strict=True):
            group.write(result, _extended(value, type_, width))
        group.polls |= polls

    return step


def needed_bytes(op: ptx.LdOp) -> npt.NDArray[np.bool_]:
    """Which bytes of a loaded vector the program reads: all if it reads none. Compilers load whole
    vectors, also where the program reads only some of the elements."""
    used = np.array([bool(each.uses) for each in op.values])
    return np.repeat(used | ~used.any(), bytes_at(op, "address") // len(used))


def _st(op: ptx.StOp, program: Program) -> Step:
    return store(op, program, op.values)


def store(
    op: Any,
    program: Program,
    stored: Sequence[SSAValue],
    see: Callable[[Memory, Where], None] | None = None,
) -> Step:
    """Step of an instruction that stores values at its address; `see` receives the places."""
    address, offset = program.index(op.address), offset_of(op, "address")
    values = [program.index(value) for value in stored]
    space, dtype = word_of(op, "space"), unsigned(TYPE_BITS[op.type.data])
    touch = touching(op)

    def step(group: Group) -> None:
        memory, addresses = spaces(op, group, space, group.read(address))
        data = data_of([group.read(value).astype(dtype, copy=False) for value in values])
        for place in memory.store(op, addresses + offset, group.mask, data, touch(group)):
            if see is not None:
                see(*place)

    if is_strong(word_of(op, "semantics")) or space not in _AT_ONCE:
        return step
    kind = space, dtype, len(values), see
    return Storing(op, step, kind, address, offset, values, partial(_at_once, space, dtype, see))


_AT_ONCE = ("shared::cta", "shared::cluster", "shared", "global")
"""State spaces in which stores are executed at once."""


def _at_once(
    space: str,
    dtype: Any,
    see: Callable[[Memory, Where], None] | None,
    group: Group,
    run: Sequence[Storing],
) -> bool:
    """Execute stores in one step, with the effect of one after the other. Returns False, and stores
    nothing, if two of them overlap or one may need a report."""
    machine, warp = group.machine, group.warp
    registers, selected = warp.registers, [(each, each.select(group)) for each in run]
    if any(some(registers[flag] & group.mask) for each in run for flag in each.flags):
        return False
    run = [each for each, active in selected if some(active)]
    if not run:
        return True
    active = np.array([active for _, active in selected if some(active)])
    addresses = np.array([registers[each.address] for each in run]).astype(np.int64, copy=False)
    given = (addresses + np.array([[each.offset] for each in run]))[active]
    count, size = len(run[0].values), len(run[0].values) * np.dtype(dtype).itemsize
    ordered = np.sort(given)
    first, last = int(ordered[0]), int(ordered[-1])
    inside = machine.global_space if space == "global" else warp.cta.cluster.space
    memory = inside.around(first, last + size - first)
    if memory is None or memory.over or some(given % size) or some(ordered[1:] == ordered[:-1]):
        return False
    where = Where.runs(given - memory.base, size, memory.base % size == 0)
    ops = [each.op for each in run]
    if memory.is_opaque(where) or not machine.judge.stores_at_once(
        ops, warp, memory, active.nonzero(), where
    ):
        return False
    stored = [registers[at].astype(dtype, copy=False) for each in run for at in each.values]
    data = np.array(stored).reshape(len(run), count, WARP_LANES).transpose(0, 2, 1)[active]
    where.put(memory.bytes, np.ascontiguousarray(data).view(np.uint8).reshape(-1, size))
    where.put(memory.written, True)
    if see is not None:
        see(memory, where)
    return True


def _moved(op: Any, program: Program, sign: int) -> Step:
    shift = _window(op.space.data)

    def move(a: Lanes) -> Lanes:
        return (a.astype(np.int64) + sign * shift).view(np.uint64)

    return pure(move)(op, program)


def _mapa(address: Lanes, rank: Lanes) -> Lanes:
    number = address.dtype.type
    inside = address & number((1 << RANK_SHIFT) - 1)
    return inside | rank.astype(number) << number(RANK_SHIFT)


def _mapa_generic(address: Lanes, rank: Lanes) -> Lanes:
    inside = address - np.uint64(SHARED_WINDOW)
    return _mapa(inside.astype(np.uint32), rank).astype(np.uint64) + np.uint64(SHARED_WINDOW)


def _getctarank(address: Lanes) -> Lanes:
    return (address >> address.dtype.type(RANK_SHIFT)).astype(np.uint32)


def _getctarank_generic(address: Lanes) -> Lanes:
    return _getctarank(address - np.uint64(SHARED_WINDOW))


HANDLERS: dict[type[Operation], Handler] = {
    ptx.LdOp: _ld,
    ptx.StOp: _st,
    ptx.CvtaOp: lambda op, program: _moved(op, program, 1),
    ptx.CvtaToOp: lambda op, program: _moved(op, program, -1),
    ptx.MapaOp: pure(_mapa),
    ptx.MapaGenericOp: pure(_mapa_generic),
    ptx.GetctarankOp: pure(_getctarank),
    ptx.GetctarankGenericOp: pure(_getctarank_generic),
    ptx.PrefetchOp: nothing,
}
