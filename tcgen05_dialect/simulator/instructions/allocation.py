"""Instructions that allocate tensor memory and free it (9.7.16.7.1)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...isa.practice import PEER_START
from ...isa.targets import check_pairs
from ...isa.tensor_memory.alloc import LANES, WARP_LANES, pack, unpack
from ...ptx import tcgen05 as ops
from ...ptx.effects import bytes_at
from ...ptx.instructions import LdOp
from ...ptx.structure import AddressOfOp
from ...ptx.syntax import offset_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..machine.state import Half, may_precede_peer, meet_peer
from ..machine.tensor_memory import block
from ..order.clocks import Clock
from ..order.events import Access
from ..order.where import Where
from .memory import spaces, touching
from .tcgen05 import ctas_of


def _checked(op: Any, step: Callable[[Group], Wait | None]) -> Step:
    """Wrap an instruction that one whole warp of a CTA, or of each CTA of a pair, executes."""
    ctas = ctas_of(op)

    def checked(group: Group) -> Wait | None:
        check_pairs(ctas, len(group.warp.cta.cluster.ctas))
        return step(group)

    return checked


def _first(group: Group, index: int) -> int:
    """The value of a register in the first lane of the group."""
    return int(group.read(index)[group.lanes[0]])


def _alloc(op: ops.AllocOp, program: Program) -> Step:
    address, columns, offset = (
        program.index(op.address),
        program.index(op.columns),
        offset_of(op, "address"),
    )
    space = None if op.space is None else "shared::cta"
    in_pair, name, size = ctas_of(op) == 2, _name(op, program), bytes_at(op, "address")
    exclusive = op.exclusive is not None

    def step(group: Group) -> Wait | None:
        count, cta = _first(group, columns), group.warp.cta
        # For a CTA pair, one warp of each CTA executes alloc and allocates in its own CTA.
        tensor = cta.tensor
        if in_pair and (early := may_precede_peer(op, cta, group.rows)):
            group.machine.judge.report(op, PEER_START, early)
        if tensor.fits(count, exclusive):
            place = tensor.allocate(count, name)
            half = Half(op, count) if in_pair else None
            if half is not None:
                meet_peer(half, cta)
            clocks, rows = cta.cluster.clocks, group.rows
            leader = int(rows[0])
            number = int(clocks.table[Clock.SEEN, leader, leader])
            access = _access(op, group)
            tensor.shadow.overwrite(_columns(place, count), access.first)
            statistics, used = group.machine.statistics, tensor.allocated
            statistics.tensor_memory_columns = max(statistics.tensor_memory_columns, used)
            memory, addresses = spaces(op, group, space, group.read(address))
            value = np.full((WARP_LANES, size), 0, np.uint8)
            value[:] = np.frombuffer(pack(0, place).to_bytes(size, "little"), np.uint8)
            lane = np.zeros(WARP_LANES, np.bool_)
            lane[group.lanes[0]] = True
            memory.store(op, addresses + offset, lane, value, touching(op)(group))
            # The allocation is visible to all threads of the warp.
            clocks.complete(rows, leader, number, Clock.SEEN)
            clocks.count(rows[:1])
            return _until_peer(half, group)
        # Retried after a dealloc.
        group.index -= 1
        return Wait(
            lambda: tensor.fits(count, exclusive),
            describe=lambda: f"{count} free columns; allocated: {tensor.describe()}",
        )

    return _checked(op, step)


def _until_peer(half: Half | None, group: Group) -> Wait | None:
    """The wait of a CTA for the half of its peer, if there is one and the schedule lets it wait. It
    orders nothing."""
    cta = group.warp.cta
    if half is None or not group.machine.schedule.pairs_block:
        return None
    what = f"{half.op.name} of {cta.peer.name}"
    return Wait(lambda: half not in cta.halves, describe=lambda: what).or_go_on()


def _name(op: ops.AllocOp, program: Program) -> str:
    """What the program calls the address that alloc stores: the name of the value that it loads
    from there."""
    slot = _place(op.address), offset_of(op, "address")
    for each in program.kernel.walk():
        if isinstance(each, LdOp) and (_place(each.address), offset_of(each, "address")) == slot:
            hint = each.values[0].name_hint
            return f"%{hint}" if hint else ""
    return ""


def _place(address: SSAValue) -> object:
    """Identity of an address: equal for two that name the same variable."""
    owner = address.owner
    if not isinstance(owner, AddressOfOp):
        return address
    return owner.variable.string_value(), owner.start


def _access(op: Operation, group: Group) -> Access:
    """The access of an allocation or deallocation, counted by the first thread of the warp."""
    leader = int(group.rows[0])
    number = int(group.warp.cta.cluster.clocks.table[Clock.SEEN, leader, leader])
    judge = group.machine.judge
    return judge.operation(op, group.warp, group.rows, leader, number)


@lru_cache(maxsize=64)
def _columns(first: int, columns: int) -> Where:
    """All cells of some columns."""
    return block(np.arange(LANES), first, columns)


def _dealloc(op: ops.DeallocOp, program: Program) -> Step:
    address, columns = program.index(op.taddr), program.index(op.columns)
    in_pair = ctas_of(op) == 2

    def step(group: Group) -> Wait | None:
        tensor, count = group.warp.cta.tensor, _first(group, columns)
        tensor.free(_first(group, address), count)
        place, access = unpack(_first(group, address)).column, _access(op, group)
        half = Half(op, count, place, tensor.shadow.snapshot()) if in_pair else None
        group.machine.judge.write(access, tensor, _columns(place, count))
        if half is not None:
            _free_half(half, access, group, place, count)
        return _until_peer(half, group)

    return _checked(op, step)


def _free_half(half: Half, access: Access, group: Group, place: int, columns: int) -> None:
    """
    Free the half of a CTA pair. Raises OperationError if an operation of the pair may still use the
    columns of the peer, and warns if warps of the peer may still load or store them.

    The peer frees its half earlier or later; until then it should not use the columns.
    """
    cta = group.warp.cta
    peer, other = cta.peer, meet_peer(half, cta)
    if other is None:
        peer.tensor.peer_frees(place, columns)
    before = peer.tensor.shadow.snapshot() if other is None else other.before
    assert before is not None
    group.machine.judge.free(access, peer.tensor, _columns(place, columns), before)


def _relinquish(op: ops.RelinquishAllocPermitOp, program: Program) -> Step:
    in_pair = ctas_of(op) == 2

    def step(group: Group) -> Wait | None:
        group.warp.cta.tensor.permitted = False
        if in_pair:
            meet_peer(Half(op), group.warp.cta)
        return None

    return _checked(op, step)


HANDLERS: dict[type[Operation], Handler] = {
    ops.AllocOp: _alloc,
    ops.DeallocOp: _dealloc,
    ops.RelinquishAllocPermitOp: _relinquish,
}
