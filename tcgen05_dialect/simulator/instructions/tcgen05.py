"""Instructions of warps on tensor memory: loads and stores."""

from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.completion import LOADED, STORED, Completion
from ...isa.cta_group import check_pairs, cta_group_of
from ...isa.practice import PEER_USES
from ...isa.simulation import BOUNDS, TENSOR_MEMORY
from ...isa.tensor_memory import ld_st
from ...isa.tensor_memory.cells import unpack, warp_lanes
from ...ptx import tcgen05 as ops
from ...ptx import tcgen05_mma as mma_ops
from ...ptx.syntax import offset_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait, all_of
from ..machine.program import Handler, Program
from ..machine.state import Cta
from ..machine.tasks import Moves, Task
from ..numbers.floats import FORMATS, extremum, magnitude
from ..numbers.integers import on_integers
from ..numbers.lanes import Lanes, some
from ..order.clocks import Clock
from ..order.events import Access, Actor
from ..order.shadow import Where
from .synchronization import whole


def ctas_of(op: Any) -> int:
    return mma_ops.CTA_GROUPS[op.cta_group.data]


def cta_group(group: Group, ctas: int) -> tuple[Cta, ...]:
    """The CTA, or its pair (even CTA first) if `ctas` is 2. Raises Violation."""
    cta = group.warp.cta
    check_pairs(ctas, len(cta.cluster.ctas))
    return tuple(cta.cluster.ctas[rank] for rank in cta_group_of(cta.rank, ctas))


@lru_cache(maxsize=256)
def _cells(shape: str, num: str, pack: bool, split: int | None) -> tuple[Lanes, Lanes]:
    """Lanes and columns relative to the address, with axes (register, thread, half)."""
    fragment = ld_st.fragment(shape, num, pack, split)
    cells = np.array(fragment).transpose(1, 0, 2, 3)
    return cells[..., 0], cells[..., 1]


def _cells_of(op: Any, program: Program, pack: bool) -> Callable[[Group], tuple[Lanes, Lanes]]:
    """Function that computes the lanes and columns of the registers of a warp."""
    address, offset = program.index(op.address), offset_of(op, "address")
    split = None if op.split_offset is None else op.split_offset.value.data
    lanes, columns = _cells(op.shape.data, op.num.data, pack, split)

    def cells(group: Group) -> tuple[Lanes, Lanes]:
        given = group.read(address)[group.mask]
        if some(given != given[0]):
            raise fault(op, TENSOR_MEMORY, "the lanes have different addresses")
        cell = unpack(int(given[0]) + offset)
        reach = warp_lanes(group.warp.index)
        ld_st.check_address(op.shape.data, op.num.data, *cell, pack, split)
        if cell.lane not in reach:
            found = f"{group.warp.name} accesses lane {cell.lane}"
            raise fault(op, BOUNDS, f"{found}; it can access lanes {reach[0]} to {reach[-1]} only")
        return lanes + cell.lane, columns + cell.column

    return cells


def _moved(op: Operation, group: Group, moves: Moves, completion: Completion) -> Access:
    """Access of the next load or store of a warp."""
    component = group.warp.cta.cluster.clocks.component(moves)
    judge, rows = group.machine.judge, group.rows
    number = moves.count + 1
    return judge.operation(op, group.warp, rows, Actor.ASYNC, component, number, completion)


def _where(op: Operation, group: Group, lanes: Lanes, columns: Lanes) -> Where:
    """Cells of a load or store. Raises Violation unless they are allocated."""
    tensor, first = group.warp.cta.tensor, int(columns.min())
    count = int(columns.max()) + 1 - first
    tensor.check_allocated(first, count)
    if tensor.is_half_freed(first, count):
        group.machine.judge.report(op, PEER_USES, tensor.half_freed_text(first, count))
    return Where.at(lanes, columns)


def _ld(op: Any, program: Program) -> Step:
    packs = getattr(op, "pack", None) is not None
    cells_of = _cells_of(op, program, packs)
    results = [program.index(value) for value in op.values]
    reduction = _reduction(op) if isinstance(op, ops.LdRedOp) else None
    if reduction is not None:
        results.append(program.index(op.reduced))

    def step(group: Group) -> Wait | None:
        lanes, columns = cells_of(group)
        warp, mask, tensor = group.warp, group.mask, group.warp.cta.tensor
        where = _where(op, group, lanes, columns)
        key = where.bounds, op.shape.data, op.num.data
        judge = group.machine.judge
        judge.read(_moved(op, group, warp.loads, LOADED), tensor, where, key)

        def load() -> None:
            cells = tensor.read(lanes, columns)
            values: list[Lanes] = list(
                cells[..., 0] & _LOW | cells[..., 1] << _HALF if packs else cells[..., 0]
            )
            if reduction is not None:
                values.append(reduction(values))
            for result, value in zip(results, values, strict=True):
                warp.registers[result] = np.where(mask, value, warp.registers[result])
                if warp.pending.get(result) is task:
                    del warp.pending[result]

        task = group.machine.issue(Task(op, [load]))
        warp.loads.add(task)
        warp.pending.update(dict.fromkeys(results, task))
        return None

    return whole(op, step)


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
    cells_of = _cells_of(op, program, unpacks)
    sources = [program.index(value) for value in op.values]

    def step(group: Group) -> Wait | None:
        lanes, columns = cells_of(group)
        tensor, stores = group.warp.cta.tensor, group.warp.stores
        where = _where(op, group, lanes, columns)
        group.machine.judge.write(_moved(op, group, stores, STORED), tensor, where)
        values = np.stack([group.read(source) for source in sources])[..., None]
        if unpacks:
            values = np.concatenate((values & _LOW, values >> _HALF), axis=-1)
        task = group.machine.issue(Task(op, [lambda: tensor.write(lanes, columns, values)]))
        stores.add(task)
        return None

    return whole(op, step)


def _wait(op: ops.WaitOp, program: Program) -> Step:
    loads = op.operation.data in _LOADS

    def step(group: Group) -> Wait | None:
        moves = group.warp.loads if loads else group.warp.stores
        clocks, rows, number = group.warp.cta.cluster.clocks, group.rows, moves.count
        component = clocks.component(moves)

        def learn() -> None:
            clocks.complete(rows, component, number, Clock.SEEN, Clock.AFTER)

        return all_of(moves.take(), f"{op.operation.data} of tensor memory", learn).or_go_on()

    return whole(op, step)


_LOADS = ("ld",)


HANDLERS: dict[type[Operation], Handler] = {
    ops.LdOp: _ld,
    ops.LdRedOp: _ld,
    ops.StOp: _st,
    ops.WaitOp: _wait,
}
