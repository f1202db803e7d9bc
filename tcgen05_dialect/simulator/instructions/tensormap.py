"""
Changes of tensor maps in memory (9.7.9.26.1, 9.7.13.15.18).

A change must come after the copies that use the map, and a later use after a fence that acquires
the change.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.instructions.copies import MAP
from ...isa.practice import BOUNDS, UNWRITTEN
from ...ptx import instructions as ptx
from ...ptx.syntax import offset_of, word_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.memory import Memory
from ..machine.program import Handler, Program
from ..machine.tensor_map import LAYOUT
from ..numbers.floats import Lanes, every
from ..order.where import Where
from .bulk_copy import shared_address
from .memory import spaces

_SIZE, _ALIGNMENT = MAP.bytes, MAP.alignment


def _replacing(op: Any, program: Program, value: Callable[[Group], Lanes]) -> Step:
    """Step that replaces a field of a map by a value in each lane."""
    address, offset = program.index(op.address), offset_of(op, "address")
    space, field = word_of(op, "space"), op.field.data
    ordinal = op.ordinal.value.data if hasattr(op, "ordinal") else None

    def step(group: Group) -> Wait | None:
        state, addresses = spaces(op, group, space, group.read(address))
        values = value(group)
        parts = state.parts(op, addresses + offset, group.mask, _SIZE, _ALIGNMENT)
        for memory, lanes, where in parts:
            memory.check_opaque(op, where)
            cells: Any = where.index
            _check_written(op, memory, cells)
            group.machine.judge.threads(op, group.warp, memory, lanes, where, True)
            for lane, first in zip(lanes.tolist(), cells[:, 0].tolist(), strict=True):
                fields = memory.bytes[first : first + _SIZE].view(LAYOUT)[0]
                target, at = (fields[field], ordinal) if ordinal is not None else (fields, field)
                target[at] = values[lane]
                if state is group.machine.global_space:
                    group.machine.changed_maps[memory.base + first] = op
        return None

    return step


def _check_written(op: Operation, memory: Memory, cells: Any) -> None:
    written = memory.written[cells]
    if not every(written):
        place = memory.place(int(cells[~written][0]))
        raise fault(op, UNWRITTEN, f"{place}, a part of the tensor map, was never written")


def _replace(op: Any, program: Program) -> Step:
    index = program.index(op.value)
    return _replacing(op, program, lambda group: group.read(index))


def _replace_mode(op: ptx.TensormapReplaceModeOp, program: Program) -> Step:
    value = op.value.value.data
    return _replacing(op, program, lambda group: np.full(group.mask.size, value))


def _cp_fenceproxy(op: ptx.TensormapCpFenceproxyOp, program: Program) -> Step:
    source = shared_address(op, program, "source")
    destination, offset = program.index(op.destination), offset_of(op, "destination")

    def step(group: Group) -> Wait | None:
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
        _check_written(op, memory, np.arange(start, start + _SIZE))
        target.bytes[first : first + _SIZE] = memory.bytes[start : start + _SIZE]
        target.written[first : first + _SIZE] = True
        machine.changed_maps[to] = op
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.TensormapReplaceOp: _replace,
    ptx.TensormapReplaceDimensionOp: _replace,
    ptx.TensormapReplaceModeOp: _replace_mode,
    ptx.TensormapCpFenceproxyOp: _cp_fenceproxy,
}
