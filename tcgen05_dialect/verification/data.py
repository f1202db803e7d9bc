"""
Distinct data: the contents that a run invents for memory that it does not know.

Two places have different contents, so threads that store what they loaded from two places store
different values, unless the kernel makes them equal.
"""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ..ptx.analysis.control_slice import Slice
from ..ptx.effects import effects_of, is_strong_access
from ..ptx.register_types import register_bits
from ..simulator.machine.machine import Group, Step, Wait
from ..simulator.machine.memory import Memory
from ..simulator.machine.program import Handler, Program
from ..simulator.numbers.contents import content_of, mixed
from ..simulator.numbers.floats import some, unsigned
from ..simulator.order.events import Access
from ..simulator.order.race_detector import Judge, Shadowed
from ..simulator.order.shadow import Unchanged
from ..simulator.order.where import Where


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


def marking(
    handlers: Mapping[type[Operation], Handler], slice_: Slice
) -> dict[type[Operation], Handler]:
    """The handlers of a run that computes no data: each thread stores a mark of its own in place of
    data, so that the race detector sees the stores of different threads."""
    return {
        op_type: _marked(handler, slice_) if effects_of(op_type).data else handler
        for op_type, handler in handlers.items()
    }


def _marked(handler: Handler, slice_: Slice) -> Handler:
    def marked(op: Any, program: Program) -> Step:
        step = handler(op, program)
        registers = [
            (program.index(each), unsigned(register_bits(each.type) or 0))
            for each in slice_.stored_by_threads(op)
        ]
        if not registers:
            return step

        def run(group: Group) -> Wait | None:
            marks = mixed(group.warp.rows)
            for index, dtype in registers:
                wide = dtype().itemsize // marks.itemsize
                marked = marks.repeat(wide).view(dtype) if wide else marks.astype(dtype)
                group.warp.registers[index] = marked
            return step(group)

        return run

    return marked
