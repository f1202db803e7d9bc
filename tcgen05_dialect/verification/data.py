"""
Distinct data: the contents that a run invents for memory that it does not know.

Two places have different contents, so threads that store what they loaded from two places store
different values, unless the kernel makes them equal.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import Actor, StateSpace
from ..ptx.arithmetic import SetpOp
from ..ptx.effects import effects_of, is_strong_access
from ..ptx.register_types import register_bits
from ..ptx.syntax import values_of
from ..simulator.machine.machine import Group, Step, Wait
from ..simulator.machine.memory import Memory
from ..simulator.machine.program import Handler, Program
from ..simulator.numbers.lanes import some, unsigned
from ..simulator.order.events import Access
from ..simulator.order.race_detector import Judge, Shadowed
from ..simulator.order.shadow import Unchanged
from ..simulator.order.where import Where

_SEEDS = 4
"""Number of contents that are tried for a kernel that compares data."""


def content_of(places: npt.NDArray[Any], seed: int = 0) -> npt.NDArray[np.uint8]:
    """
    The contents of bytes at some places, which are pseudo-random.

    As integers and as floating-point numbers of any format they are neither extreme nor NaN. With a
    `seed` other than 0, signs differ and some words are 0, so that comparisons have both results.
    """
    numbers = places.astype(np.uint64)
    hashed = _mixed(numbers * _ODD + np.uint64(seed))
    content = np.where(places & 1, 0x38 | hashed & 0x07, 0x30 + hashed % 0x40).astype(np.uint8)
    if seed:
        words = _mixed((numbers >> np.uint64(2)) * _ODD + np.uint64(seed))
        content |= np.where(places & 1, words & 0x80, 0).astype(np.uint8)
        content[words & 3 == 0] = 0
    return content


_ODD = np.uint64(0x9E3779B97F4A7C15)


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Pseudo-random numbers, one for each number (the finaliser of splitmix64)."""
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)


class Invented(Memory):
    """Global memory that no launch describes."""


@dataclass(eq=False)
class Inventing(Judge):
    """
    A judge that fills invented memory with distinct data before the first access to it, if it has a
    `seed` for them. Flags and counters stay 0, and so does what loads of `asked` read first.
    """

    seed: int | None = 0
    asked: Collection[Operation] = ()
    _filled: dict[Memory, npt.NDArray[np.bool_]] = field(
        default_factory=dict[Memory, npt.NDArray[np.bool_]]
    )

    def lanewise(
        self,
        access: Access,
        memory: Shadowed,
        lanes: Any,
        where: Where,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        self.fill(access, memory, where)
        super().lanewise(access, memory, lanes, where, written, unchanged)

    def read(
        self, access: Access, memory: Shadowed, where: Where, key: Hashable, operand: str = ""
    ) -> None:
        self.fill(access, memory, where)
        super().read(access, memory, where, key, operand)

    def write(self, access: Access, memory: Shadowed, where: Where, updated: bool = False) -> None:
        self.fill(access, memory, where)
        super().write(access, memory, where, updated)

    def fill(self, access: Access, memory: Shadowed, where: Where) -> None:
        """Fill cells that no access has touched."""
        if self.seed is None or not isinstance(memory, Invented):
            return
        if memory not in self._filled:
            self._filled[memory] = np.zeros(memory.bytes.size, np.bool_)
        filled, cells = self._filled[memory], memory.shadow.cells(where)
        cells = cells[~filled[cells]]
        filled[cells] = True
        op = access.source.op
        if some(cells) and not (
            op in self.asked or is_strong_access(op) or effects_of(type(op)).is_atomic
        ):
            memory.bytes[cells] = content_of(cells + memory.base, self.seed)


def seeds_of(ops: Iterable[Operation], tainted: Collection[SSAValue]) -> range:
    """The seeds of the data with which to run a kernel: several if it compares data, so that
    comparisons have both results."""
    compares = any(isinstance(op, SetpOp) and any(x in tainted for x in op.operands) for op in ops)
    return range(_SEEDS if compares else 1)


def stored_by_threads(op: Operation, tainted: Collection[SSAValue]) -> list[SSAValue]:
    """The data among the registers that threads store in memory."""
    effects = effects_of(type(op))
    writes = any(area.space in _SHARED for area in effects.writes)
    if effects.actor is not Actor.THREAD or not writes:
        return []
    return [each for name in effects.data for each in values_of(op, name) if each in tainted]


_SHARED = StateSpace.SHARED, StateSpace.GLOBAL, StateSpace.MEMORY
"""State spaces of several threads."""


def marking(
    handlers: Mapping[type[Operation], Handler], tainted: Collection[SSAValue]
) -> dict[type[Operation], Handler]:
    """The handlers of a run that computes no data: each thread stores a mark of its own in place of
    data, so that the race detector sees the stores of different threads."""
    return {
        op_type: _marked(handler, tainted) if effects_of(op_type).data else handler
        for op_type, handler in handlers.items()
    }


def _marked(handler: Handler, tainted: Collection[SSAValue]) -> Handler:
    def marked(op: Any, program: Program) -> Step:
        step = handler(op, program)
        registers = [
            (program.index(each), unsigned(register_bits(each.type) or 0))
            for each in stored_by_threads(op, tainted)
        ]
        if not registers:
            return step

        def run(group: Group) -> Wait | None:
            marks = _mixed(group.warp.rows.astype(np.uint64) * _ODD)
            for index, dtype in registers:
                wide = dtype().itemsize // marks.itemsize
                marked = marks.repeat(wide).view(dtype) if wide else marks.astype(dtype)
                group.warp.registers[index] = marked
            return step(group)

        return run

    return marked
