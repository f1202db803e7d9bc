"""
Instructions of warps on tensor memory: loads and stores.

Instructions that allocate tensor memory and free it (9.7.16.7.1).
"""

from collections.abc import Callable
from functools import lru_cache, partial, reduce
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...isa.effects.model import Completion, StateSpace
from ...isa.practice import BOUNDS, EMPTY_LANES, PEER_START, PEER_USES, TENSOR_MEMORY, UNWRITTEN
from ...isa.targets import check_pairs, cta_group_of
from ...isa.tensor_memory import ld_st
from ...isa.tensor_memory.alloc import COLUMNS, LANES, WARP_LANES, Cell, pack, unpack, warp_lanes
from ...isa.tensor_memory.alloc import pack as pack_address
from ...ptx import tcgen05 as ops
from ...ptx.effects import bytes_at, completed_by, effects_of
from ...ptx.instructions import LdOp
from ...ptx.kernel import KernelOp
from ...ptx.structure import AddressOfOp
from ...ptx.tcgen05 import CTA_GROUPS
from ...ptx.text.syntax import offset_of
from ..machine.errors import fault, helped
from ..machine.machine import Group, Step, Wait, all_of
from ..machine.program import Handler, Program
from ..machine.state import Cta, Half, may_precede_peer, meet_peer
from ..machine.tensor_core import Task
from ..machine.tensor_memory import TensorMemory, block
from ..numbers.floats import FORMATS, Lanes, every, extremum, magnitude, some
from ..numbers.integers import on_integers
from ..order.clocks import Clock
from ..order.events import Access
from ..order.shadow import Where
from .memory import spaces, touching

_SUMS = (
    "if products write it, wait for the barrier object at which their commit arrives before the "
    "tcgen05.ld; without products, let tcgen05.st or tcgen05.cp write it first"
)
"""Help for a load of cells that nothing has written."""


def ctas_of(op: Any) -> int:
    return CTA_GROUPS[op.cta_group.data]


def cta_group(group: Group, ctas: int) -> tuple[Cta, ...]:
    """The CTA, or its pair (even CTA first) if `ctas` is 2. Raises Violation."""
    cta = group.warp.cta
    check_pairs(ctas, len(cta.cluster.ctas))
    return tuple(cta.cluster.ctas[rank] for rank in cta_group_of(cta.rank, ctas))


class _Fragment:
    """
    Cells of the registers of a warp: lanes and columns with axes (register, thread, half). They
    are those of a pattern, relative to a cell.

    `block` is the cells as lanes x columns if they are solid: numpy then copies them in half the
    time.
    """

    def __init__(self, pattern: "_Pattern", cell: Cell):
        bounds = tuple(
            range(each.start + at, each.stop + at)
            for each, at in zip(pattern.bounds, cell, strict=True)
        )
        lanes, columns = bounds
        self._pattern, self._cell = pattern, cell
        self.first, self.count = columns.start, len(columns)
        self.where = Where(bounds, lambda: (self.lanes, self.columns), pattern.is_solid)
        self.block: tuple[slice, slice] | None = None
        if pattern.is_solid:
            self.block = slice(lanes.start, lanes.stop), slice(columns.start, columns.stop)

    @property
    def lanes(self) -> Lanes:
        return self._pattern.lanes + self._cell.lane

    @property
    def columns(self) -> Lanes:
        return self._pattern.columns + self._cell.column

    def read(self, tensor: TensorMemory, warn: Callable[[str], None]) -> Lanes:
        """Read the cells; `warn` gets a sentence about lanes without a value. Raises Violation."""
        tensor.check_allocated(self.first, self.count)
        if self.block is not None and every(tensor.written[self.block]):
            return np.ascontiguousarray(tensor.cells[self.block].T)[..., None]
        empty = tensor.empty_lanes(self.lanes, self.columns)
        if not empty.size:
            return tensor.read(self.lanes, self.columns)
        place = tensor.place(int(empty[0]) * COLUMNS + self.first)
        warn(f"{place} was never written, as all of {empty.size} of the lanes that are read")
        found = tensor.cells[self.lanes, self.columns]
        return np.where(np.isin(self.lanes, empty), _UNDEFINED, found)


class _Pattern(NamedTuple):
    """Cells of the registers of a warp relative to an address, and their bounds. They are solid if
    each thread has a lane, and each register a column, as in `.32x32b`."""

    lanes: Lanes
    columns: Lanes
    bounds: tuple[range, ...]
    is_solid: bool


@lru_cache(maxsize=256)
def _pattern(shape: str, num: str, pack: bool, split: int | None) -> _Pattern:
    """The cells of an access, with axes (register, thread, half)."""
    fragment = ld_st.fragment(shape, num, pack, split)
    cells = np.array(fragment).transpose(1, 0, 2, 3)
    lanes, columns = cells[..., 0], cells[..., 1]
    bounds = Where.at(lanes, columns).bounds
    threads, registers = (np.array(each) for each in bounds)
    whole = np.broadcast_arrays(threads[None, :, None], registers[:, None, None])
    is_solid = all(map(np.array_equal, (lanes, columns), whole))
    return _Pattern(lanes, columns, bounds, is_solid)


def _fragment_of(op: Any, program: Program, pack: bool) -> Callable[[Group], _Fragment]:
    """Function that finds the cells of the registers of a warp."""
    address, offset = program.index(op.address), offset_of(op, "address")
    split = None if op.split_offset is None else op.split_offset.value.data
    pattern = _pattern(op.shape.data, op.num.data, pack, split)

    # Warps and CTAs use the same addresses: this saves a quarter of the time of a load.
    @lru_cache(maxsize=64)
    def fragment_at(address: int) -> tuple[Cell, _Fragment]:
        cell = unpack(address)
        ld_st.check_address(op.shape.data, op.num.data, *cell, pack, split)
        return cell, _Fragment(pattern, cell)

    def fragment(group: Group) -> _Fragment:
        given = group.read(address)[group.mask]
        if some(given != given[0]):
            raise fault(op, TENSOR_MEMORY, "the lanes have different addresses")
        cell, found = fragment_at(int(given[0]) + offset)
        reach = warp_lanes(group.warp.index)
        if cell.lane in reach:
            return found
        text = f"{group.warp.name} accesses lane {cell.lane}"
        text = f"{text}; it can access lanes {reach[0]} to {reach[-1]} only"
        group.machine.judge.report(op, BOUNDS, text, lanes=(cell.lane,))
        return fragment_at(pack_address(reach[cell.lane], cell.column))[1]

    return fragment


def _completion(op: Operation) -> Completion:
    """The completion of the access to tensor memory by a load or store."""
    completion = effects_of(type(op)).area(StateSpace.TENSOR).completion
    assert completion is not None
    return completion


def _moved(op: Operation, group: Group, completion: Completion) -> Access:
    """Access of the next load or store of a warp."""
    moves = group.warp.moves[completion]
    component = group.warp.cta.cluster.clocks.component(moves)
    judge, rows = group.machine.judge, group.rows
    number = moves.count + 1
    return judge.operation(op, group.warp, rows, component, number, completion)


def _check_allocated(op: Operation, group: Group, cells: _Fragment) -> None:
    """Check that the cells of a load or store are allocated. Raises Violation."""
    tensor = group.warp.cta.tensor
    tensor.check_allocated(cells.first, cells.count)
    if tensor.is_half_freed(cells.first, cells.count):
        text = tensor.half_freed_text(cells.first, cells.count)
        group.machine.judge.report(op, PEER_USES, text)


def _ld(op: Any, program: Program) -> Step:
    packs = getattr(op, "pack", None) is not None
    fragment_of = _fragment_of(op, program, packs)
    results = [program.index(value) for value in op.values]
    reduction = _reduction(op) if isinstance(op, ops.LdRedOp) else None
    completion = _completion(op)
    if reduction is not None:
        results.append(program.index(op.reduced))

    def step(group: Group) -> None:
        fragment = fragment_of(group)
        warp, mask, tensor = group.warp, group.mask, group.warp.cta.tensor
        where, is_full = fragment.where, group.full
        _check_allocated(op, group, fragment)
        key = where.bounds, op.shape.data, op.num.data
        judge = group.machine.judge
        judge.read(_moved(op, group, completion), tensor, where, key)
        warp.loads[results[0]] = warp.moves[completion], warp.moves[completion].count + 1
        group.machine.provenance.read(tensor, where.bounds[1])
        warn = partial(judge.report, op, EMPTY_LANES)

        def load() -> None:
            with helped(UNWRITTEN, _SUMS):
                cells = fragment.read(tensor, warn)
            values: list[Lanes] = list(
                cells[..., 0] & _LOW | cells[..., 1] << _HALF if packs else cells[..., 0]
            )
            if reduction is not None:
                values.append(reduction(values))
            for result, value in zip(results, values, strict=True):
                if not is_full:
                    value = np.where(mask, value, warp.registers[result])
                warp.registers[result] = value
                if warp.pending.get(result) is task:
                    del warp.pending[result]

        task = group.machine.issue(Task(op, [load]))
        warp.moves[completion].add(task)
        warp.pending.update(dict.fromkeys(results, task))

    return step


_UNDEFINED = np.uint32(0xFFFFFFFF)
"""What a register without a value holds: a NaN, so that a result that depends on it shows."""
_LOW, _HALF = np.uint32(0xFFFF), np.uint32(16)


def _reduction(op: ops.LdRedOp) -> Callable[[list[Lanes]], Lanes]:
    """Reduction of `ld.red` over the registers of each thread."""
    type_ = op.type.data
    choose = np.minimum if op.op.data == "min" else np.maximum
    if type_ not in FORMATS:
        function = on_integers(type_, choose)
        return lambda values: reduce(function, values)
    format_ = FORMATS[type_]
    function = extremum(choose, format_, flushed=False, nan=op.nan is not None)
    if op.abs is None:
        return lambda values: reduce(function, values)
    absolute = magnitude(format_, flushed=False)
    return lambda values: reduce(function, map(absolute, values))


def _st(op: ops.StOp, program: Program) -> Step:
    unpacks = op.unpack is not None
    fragment_of = _fragment_of(op, program, unpacks)
    sources = [program.index(value) for value in op.values]
    completion = _completion(op)

    def step(group: Group) -> None:
        fragment, tensor = fragment_of(group), group.warp.cta.tensor
        _check_allocated(op, group, fragment)
        group.machine.judge.write(_moved(op, group, completion), tensor, fragment.where)
        values = np.stack([group.read(source) for source in sources])[..., None]
        if unpacks:
            values = np.concatenate((values & _LOW, values >> _HALF), axis=-1)
        write = partial(tensor.write, fragment.lanes, fragment.columns, values)
        task = group.machine.issue(Task(op, [write]))
        group.warp.moves[completion].add(task)

    return step


def _wait(op: ops.WaitOp, program: Program) -> Step:
    (completion,) = completed_by(op)

    def step(group: Group) -> Wait | None:
        moves = group.warp.moves[completion]
        clocks, rows, number = group.warp.cta.cluster.clocks, group.rows, moves.count
        component = clocks.component(moves)

        def learn() -> None:
            clocks.complete(rows, component, number, Clock.SEEN, Clock.AFTER)

        return all_of(moves.take(), f"{op.operation.data} of tensor memory", learn).or_go_on()

    return step


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
    in_pair, name, size = (
        ctas_of(op) == 2,
        allocation_name(op, program.kernel),
        bytes_at(op, "address"),
    )
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
            number = clocks.number(leader)
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


def allocation_name(op: ops.AllocOp, kernel: KernelOp) -> str:
    """What the program calls the address that alloc stores: the name of the value that it loads
    from there."""
    slot = _place(op.address), offset_of(op, "address")
    for each in kernel.walk():
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
    number = group.warp.cta.cluster.clocks.number(leader)
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

    def step(group: Group) -> None:
        group.warp.cta.tensor.permitted = False
        if in_pair:
            meet_peer(Half(op), group.warp.cta)

    return _checked(op, step)


HANDLERS: dict[type[Operation], Handler] = {
    ops.LdOp: _ld,
    ops.LdRedOp: _ld,
    ops.StOp: _st,
    ops.WaitOp: _wait,
    ops.AllocOp: _alloc,
    ops.DeallocOp: _dealloc,
    ops.RelinquishAllocPermitOp: _relinquish,
}
