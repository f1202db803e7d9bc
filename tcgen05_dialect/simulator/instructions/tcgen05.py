"""The instructions of the fifth-generation tensor cores."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa import cp, ld_st, shift
from ...isa.shared_memory_descriptor import UNIT_BYTES, SharedMemoryDescriptor
from ...isa.simulation import BOUNDS, TENSOR_MEMORY
from ...isa.tensor_memory import LANES, WARP_LANES, Cell, pack, unpack, warp_lanes
from ...ptx import tcgen05 as ops
from ...ptx import tcgen05_mma as mma_ops
from ..errors import fault
from ..lanes import Lanes
from ..machine import Cta, Group, Step, Wait, all_of
from ..operands import shared_matrix
from ..program import Handler, Program
from ..tasks import Task
from .memory import spaces
from .synchronization import check_aligned


def offset_of(op: Operation, name: str) -> int:
    """The immediate offset of an address operand, 0 if it has none."""
    value: Any = op.properties.get(f"{name}_offset")
    return 0 if value is None else value.value.data


def _ctas(op: Any) -> int:
    return mma_ops.CTA_GROUPS[op.cta_group.data]


def pair_of(group: Group, ctas: int) -> tuple[Cta, ...]:
    """The CTA, or with two the pair that it is of, the even one first."""
    cta = group.warp.cta
    if ctas == 1:
        return (cta,)
    first = cta.rank & ~1
    return tuple(cta.cluster.ctas[first : first + 2])


def _first(group: Group, index: int) -> int:
    """What a register holds in the first lane of the group."""
    return int(group.read(index)[np.flatnonzero(group.mask)[0]])


def _alloc(op: ops.AllocOp, program: Program) -> Step:
    address, columns, offset = (
        program.index(op.address),
        program.index(op.columns),
        offset_of(op, "address"),
    )
    space = None if op.space is None else "shared::cta"

    def step(group: Group) -> Wait | None:
        check_aligned(op, group)
        count = _first(group, columns)
        # Of a pair a warp of each CTA allocates, both the same: each does its own part.
        tensor = group.warp.cta.tensor
        if tensor.fits(count):
            place = tensor.allocate(count)
            statistics, used = group.machine.statistics, tensor.allocated
            statistics.tensor_memory_columns = max(statistics.tensor_memory_columns, used)
            memory, addresses = spaces(op, group, space, group.read(address))
            value = np.full((WARP_LANES, 4), 0, np.uint8)
            value[:] = np.frombuffer(pack(0, place).to_bytes(4, "little"), np.uint8)
            lane = np.zeros(WARP_LANES, np.bool_)
            lane[np.flatnonzero(group.mask)[0]] = True
            memory.store(op, addresses + offset, lane, value)
            return None
        # It is tried again when columns have been freed.
        group.index -= 1
        return Wait(
            lambda: tensor.fits(count),
            lambda: f"{count} free columns; allocated: {tensor.describe()}",
        )

    return step


def _dealloc(op: ops.DeallocOp, program: Program) -> Step:
    address, columns = program.index(op.taddr), program.index(op.columns)

    def step(group: Group) -> Wait | None:
        check_aligned(op, group)
        group.warp.cta.tensor.free(_first(group, address), _first(group, columns))
        return None

    return step


def _relinquish(op: ops.RelinquishAllocPermitOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        check_aligned(op, group)
        group.warp.cta.tensor.permitted = False
        return None

    return step


@lru_cache(maxsize=256)
def _cells(shape: str, num: str, pack: bool, split: int | None) -> tuple[Lanes, Lanes]:
    """The lanes and columns, relative to the address, of register x thread x half."""
    fragment = ld_st.fragment(shape, num, pack, split)
    cells = np.array(fragment).transpose(1, 0, 2, 3)
    return cells[..., 0], cells[..., 1]


def _access(op: Any, program: Program, pack: bool) -> Callable[[Group], tuple[Lanes, Lanes]]:
    """What gives the lanes and columns that the registers of a warp are moved to or from."""
    address, offset = program.index(op.address), offset_of(op, "address")
    split = None if op.split_offset is None else op.split_offset.value.data
    lanes, columns = _cells(op.shape.data, op.num.data, pack, split)

    def cells(group: Group) -> tuple[Lanes, Lanes]:
        check_aligned(op, group)
        given = group.read(address)[group.mask]
        if (given != given[0]).any():
            raise fault(op, TENSOR_MEMORY, "addresses that differ between lanes", "one address")
        cell = unpack(int(given[0]) + offset)
        reach = warp_lanes(group.warp.index)
        ld_st.check_address(op.shape.data, op.num.data, *cell, pack, split)
        if cell.lane not in reach:
            raise fault(op, BOUNDS, f"lane {cell.lane} from {group.warp.name}", reach)
        return lanes + cell.lane, columns + cell.column

    return cells


def _ld(op: Any, program: Program) -> Step:
    packs = getattr(op, "pack", None) is not None
    access = _access(op, program, packs)
    results = [program.index(value) for value in op.values]
    reduce = _reduction(op) if isinstance(op, ops.LdRedOp) else None
    if reduce is not None:
        results.append(program.index(op.reduced))

    def step(group: Group) -> Wait | None:
        lanes, columns = access(group)
        warp, mask, tensor = group.warp, group.mask, group.warp.cta.tensor

        def load() -> None:
            cells = tensor.read(lanes, columns)
            values: list[Lanes] = list(
                cells[..., 0] & _LOW | cells[..., 1] << _HALF if packs else cells[..., 0]
            )
            if reduce is not None:
                values.append(reduce(np.stack(values)))
            for result, value in zip(results, values, strict=True):
                warp.registers[result] = np.where(mask, value, warp.registers[result])
                if warp.pending.get(result) is task:
                    del warp.pending[result]

        task = group.machine.issue(Task(op, (load,)))
        warp.loads.append(task)
        warp.pending.update(dict.fromkeys(results, task))
        return None

    return step


_LOW, _HALF = np.uint32(0xFFFF), np.uint32(16)


def _reduction(op: ops.LdRedOp) -> Callable[[Any], Lanes]:
    """What `ld.red` makes of the registers of each thread, in the order of their numbers."""
    type_, smallest = op.type.data, op.op.data == "min"
    dtype = {"f32": np.float32, "u32": np.uint32, "s32": np.int32}[type_]

    def reduce(values: Any) -> Lanes:
        numbers = values.view(dtype)
        if op.abs is not None:
            numbers = np.abs(numbers)
        if type_ != "f32":
            return (numbers.min(axis=0) if smallest else numbers.max(axis=0)).view(np.uint32)
        function = np.minimum if smallest else np.maximum
        if op.nan is None:
            function = np.fmin if smallest else np.fmax
        result = function.reduce(numbers, axis=0)
        bits: Lanes = result.view(np.uint32).copy()
        bits[np.isnan(result)] = 0x7FFFFFFF
        return bits

    return reduce


def _st(op: ops.StOp, program: Program) -> Step:
    unpacks = op.unpack is not None
    access = _access(op, program, unpacks)
    sources = [program.index(value) for value in op.values]

    def step(group: Group) -> Wait | None:
        lanes, columns = access(group)
        tensor = group.warp.cta.tensor
        values = np.stack([group.read(source) for source in sources])[..., None]
        if unpacks:
            values = np.concatenate((values & _LOW, values >> _HALF), axis=-1)
        task = group.machine.issue(Task(op, (lambda: tensor.write(lanes, columns, values),)))
        group.warp.stores.append(task)
        return None

    return step


def _wait(op: ops.WaitOp, program: Program) -> Step:
    loads = op.operation.data in _LOADS

    def step(group: Group) -> Wait | None:
        check_aligned(op, group)
        warp = group.warp
        tasks = warp.loads if loads else warp.stores
        if loads:
            warp.loads = []
        else:
            warp.stores = []
        wait = all_of(tasks, f"{op.operation.data} of tensor memory")
        return None if wait.ready() else wait

    return step


_LOADS = ("ld",)


def _commit(op: ops.CommitOp, program: Program) -> Step:
    address, offset = program.index(op.mbarrier), offset_of(op, "mbarrier")
    mask = None if op.multicast_mask is None else program.index(op.multicast_mask)
    generic = op.space is None
    ctas = _ctas(op)

    def step(group: Group) -> Wait | None:
        machine, cluster = group.machine, group.warp.cta.cluster
        _, addresses = spaces(
            op, group, None if generic else "shared::cluster", group.read(address)
        )
        for lane in np.flatnonzero(group.mask):
            at = int(addresses[lane]) + offset
            owner = cluster.cta_of(op, at)
            if mask is None:
                targets = [(owner, at)]
            else:
                bits = int(group.read(mask)[lane])
                targets = [
                    (cta, at - owner.shared.base + cta.shared.base)
                    for cta in cluster.ctas
                    if bits >> cta.rank & 1
                ]
            for cta, place in targets:
                barrier = cta.mbarrier(op, place)
                thread = group.warp, int(lane)
                tracked = cluster.tensor_core.tracked(thread, ctas)
                machine.issue(Task(op, (lambda barrier=barrier: barrier.arrive(1),), tracked))
            cluster.tensor_core.publish((group.warp, int(lane)), machine.steps)
        return None

    return step


def _fence(op: ops.FenceOp, program: Program) -> Step:
    before = op.order.data.startswith("before")

    def step(group: Group) -> Wait | None:
        unit, now = group.warp.cta.cluster.tensor_core, group.machine.steps
        for lane in np.flatnonzero(group.mask):
            if before:
                unit.publish((group.warp, int(lane)), now)
            else:
                unit.acquire((group.warp, int(lane)), now)
        return None

    return step


def _cp(op: ops.CpOp, program: Program) -> Step:
    address, descriptor = program.index(op.address), program.index(op.descriptor)
    offset, ctas = offset_of(op, "address"), _ctas(op)
    shape, multicast = op.shape.data, None if op.multicast is None else op.multicast.data
    format_ = None if op.format is None else cp.FORMATS[op.format.data]

    def step(group: Group) -> Wait | None:
        for lane in np.flatnonzero(group.mask):
            cell = unpack(int(group.read(address)[lane]) + offset)
            source = SharedMemoryDescriptor.decode(int(group.read(descriptor)[lane]))
            steps = [
                lambda cta=cta, cell=cell, source=source: _copy(
                    cta, shape, multicast, format_, source, cell
                )
                for cta in pair_of(group, ctas)
            ]
            unit = group.warp.cta.cluster.tensor_core
            thread = group.warp, int(lane)
            group.machine.issue(unit.issue(op, "cp", shape, thread, ctas, steps))
        return None

    return step


def _copy(
    cta: Cta,
    shape: str,
    multicast: str | None,
    format_: cp.Format | None,
    source: SharedMemoryDescriptor,
    cell: Cell,
) -> None:
    rows, columns = cp.SHAPES[shape].rows, cp.SHAPES[shape].columns
    data = shared_matrix(cta.shared, source, False, rows, columns * 4, 8, False).astype(np.uint8)
    if format_ is not None:
        units = data.reshape(-1, UNIT_BYTES)
        data = np.array(
            [list(format_.decompress(unit.tobytes())) for unit in units], np.uint8
        ).reshape(rows, -1)
    words = np.ascontiguousarray(data).view(np.uint32)
    for row in range(rows):
        lanes = np.array(cp.destination_lanes(shape, multicast, row))
        places = cell.column + np.arange(columns)
        cta.tensor.write(lanes[:, None], places[None], words[row][None])


def _shift(op: ops.ShiftOp, program: Program) -> Step:
    address, offset, ctas = program.index(op.address), offset_of(op, "address"), _ctas(op)

    def move(cta: Cta, cell: Cell) -> None:
        lanes = np.arange(cell.lane, LANES)
        columns = cell.column + np.arange(shift.COLUMNS)
        sources = np.array([shift.source_lane(int(lane)) for lane in lanes])
        values = cta.tensor.read(sources[:, None], columns[None])
        cta.tensor.write(lanes[:, None], columns[None], values)

    def step(group: Group) -> Wait | None:
        for lane in np.flatnonzero(group.mask):
            cell = unpack(int(group.read(address)[lane]) + offset)
            shift.ADDRESS_LANES.check(lane=cell.lane)
            steps = [lambda cta=cta, cell=cell: move(cta, cell) for cta in pair_of(group, ctas)]
            unit = group.warp.cta.cluster.tensor_core
            thread = group.warp, int(lane)
            group.machine.issue(unit.issue(op, "shift", None, thread, ctas, steps))
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ops.AllocOp: _alloc,
    ops.DeallocOp: _dealloc,
    ops.RelinquishAllocPermitOp: _relinquish,
    ops.LdOp: _ld,
    ops.LdRedOp: _ld,
    ops.StOp: _st,
    ops.WaitOp: _wait,
    ops.CommitOp: _commit,
    ops.FenceOp: _fence,
    ops.CpOp: _cp,
    ops.ShiftOp: _shift,
}
