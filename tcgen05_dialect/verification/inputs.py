"""
Inputs of what a kernel stores.

A run without data does not know what is stored, but it knows from which inputs: the boxes of tensor
maps and the places in global memory that were loaded.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import StateSpace
from ..isa.mma.products import A
from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.analysis.values import passed_values
from ..ptx.bulk_bytes import CpAsyncBulkStoreOp
from ..ptx.bulk_copy import CpAsyncBulkTensorStoreOp
from ..ptx.effects import effects_of
from ..ptx.kernel import KernelOp
from ..ptx.memory import StOp
from ..ptx.syntax import values_of
from ..simulator.machine.memory import Memory
from ..simulator.machine.state import Cta
from ..simulator.machine.tensor_core import Issued
from ..simulator.order.events import Access
from ..simulator.order.race_detector import Judge, Shadowed
from ..simulator.order.shadow import Shadow, Unchanged
from ..simulator.order.where import Where
from .outline import CELLS
from .slice import is_pure, operations, read_operands

STORES = StOp, CpAsyncBulkTensorStoreOp, CpAsyncBulkStoreOp
"""Stores that replace what is in memory."""
_MOST_TAGGED = 1 << 20
"""Largest memory of which it is recorded what its cells are computed from."""
_By: TypeAlias = tuple[Operation, str]
"""An operation, and the warp that executes it."""
Input: TypeAlias = tuple[int, Hashable]
"""An array or tensor, by its address, and the places in it."""
Inputs: TypeAlias = frozenset[Input]
_NONE: Inputs = frozenset()


class Stored(NamedTuple):
    """The execution of a store by a warp: its places in a memory, and the inputs of its values as
    of the last execution of each load, and as of all executions."""

    op: Operation
    memory: Memory
    places: npt.NDArray[Any]
    latest: Inputs
    all: Inputs


@dataclass(eq=False)
class InputRecord(Judge):
    """Record of the inputs from which the CTAs of a run compute what they store. It takes the place
    of the race detector, and accepts all accesses."""

    loads: Mapping[Operation, Sequence[Operation]] = field(default_factory=dict[Operation, Any])
    """Operation that stores registers -> the loads from which these are computed."""
    stored: dict[str, list[Stored]] = field(default_factory=dict[str, list[Stored]])
    """Name of a CTA -> its stores."""
    _tags: dict[Shadowed, npt.NDArray[np.int32]] = field(
        default_factory=dict[Shadowed, npt.NDArray[np.int32]]
    )
    """Memory -> the number of the set of inputs of each cell."""
    _sets: dict[Inputs, int] = field(default_factory=lambda: {_NONE: 0})
    _numbered: list[Inputs] = field(default_factory=lambda: [_NONE])
    _last: dict[_By, Inputs] = field(default_factory=dict[_By, Inputs])
    _all: dict[_By, Inputs] = field(default_factory=dict[_By, Inputs])
    _reads: dict[_By, list[tuple[str, str, Inputs]]] = field(
        default_factory=dict[_By, list[tuple[str, str, Inputs]]]
    )
    """Reads of an asynchronous operation: the operand, the CTA, and the inputs."""
    _issued: dict[_By, Issued | None] = field(default_factory=dict[_By, Issued | None])

    def lanewise(
        self,
        access: Access,
        memory: Shadowed,
        lanes: Any,
        where: Where,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        key = access.source.op, access.source.who
        if written:
            self._write(key, memory, where, self._loaded(key))
        else:
            self._load(key, self._inputs(memory, where))

    def _load(self, key: _By, inputs: Inputs) -> None:
        self._last[key] = inputs
        self._all[key] = self._all.get(key, _NONE) | inputs

    def read(
        self, access: Access, memory: Shadowed, where: Where, key: Hashable, operand: str = ""
    ) -> None:
        by = access.source.op, access.source.who
        inputs = self._inputs(memory, where)
        if access.source.op.results:
            self._load(by, inputs)
            return
        issued = access.source.issued
        if by not in self._reads or issued is None or issued is not self._issued.get(by):
            self._reads[by], self._issued[by] = [], issued
        self._reads[by].append((operand, _cta(memory), inputs))

    def write(self, access: Access, memory: Shadowed, where: Where, updated: bool = False) -> None:
        by = access.source.op, access.source.who
        if access.source.op in self.loads:
            self._write(by, memory, where, self._loaded(by))
            return
        found = self._inputs(memory, where) if updated else _NONE
        for operand, cta, inputs in self._reads.get(by, ()):
            # Each CTA of a pair computes the rows of its own part of A.
            if operand != A.title or cta == _cta(memory):
                found |= inputs
        self._write(by, memory, where, (found, found))

    def _loaded(self, by: _By) -> tuple[Inputs, Inputs]:
        """The inputs of the registers that an operation of a warp stores."""
        op, who = by
        loads = self.loads.get(op, (op,))
        latest, all_ = (
            _NONE.union(*(record.get((load, who), _NONE) for load in loads))
            for record in (self._last, self._all)
        )
        return latest, all_

    def _write(
        self,
        by: _By,
        memory: Shadowed,
        where: Where,
        inputs: tuple[Inputs, Inputs],
    ) -> None:
        op, who = by
        latest, all_ = inputs
        if latest and isinstance(op, STORES) and isinstance(memory, Memory):
            index: Any = where.index
            places = memory.shadow.cells(where) if isinstance(index, slice) else index
            # The first byte of each lane stands for all that it writes.
            first = places[:1] if places.ndim == 1 else places[:, 0]
            stored = Stored(op, memory, np.unique(first), latest, all_)
            self.stored.setdefault(who.partition(" of ")[2], []).append(stored)
        if not _is_input(memory):
            number = self._sets.setdefault(all_, len(self._numbered))
            if number == len(self._numbered):
                self._numbered.append(all_)
            self._tags_of(memory)[where.index] = number

    def _tags_of(self, memory: Shadowed) -> npt.NDArray[np.int32]:
        if memory not in self._tags:
            self._tags[memory] = np.zeros(memory.shadow.shape, np.int32)
        return self._tags[memory]

    def _inputs(self, memory: Shadowed, where: Where) -> Inputs:
        """The inputs of what is read in cells."""
        if _is_input(memory):
            assert isinstance(memory, Memory)
            cells = memory.shadow.cells(where)
            return frozenset(((memory.base, cells.tobytes() if cells.size > 1 else int(cells[0])),))
        tags = self._tags_of(memory)[tuple(slice(b.start, b.stop) for b in where.bounds)]
        numbers = np.flatnonzero(np.bincount(tags.ravel()))
        return _NONE.union(*(self._numbered[number] for number in numbers))

    def use(self, access: Access, memory: Shadowed, where: Where, key: Hashable) -> None:
        pass

    def free(self, access: Access, memory: Shadowed, where: Where, before: Shadow) -> None:
        pass

    def end(self, op: Operation, cta: Cta) -> None:
        pass

    def report(self, *_: Any, **__: Any) -> None:
        pass


def _cta(memory: Shadowed) -> str:
    return memory.name.removeprefix("shared memory of ")


def _is_input(memory: Shadowed) -> bool:
    """Whether a memory is an array of a launch, or stands for a tensor."""
    size = prod(memory.shadow.shape)
    return memory.shadow.space is StateSpace.GLOBAL and (size > _MOST_TAGGED or size == CELLS)


def loads_of(kernel: KernelOp) -> dict[Operation, tuple[Operation, ...]]:
    """Each operation that stores registers, with the loads from which these are computed."""
    blocks = reverse_postorder(kernel.body)
    ops = list(operations(blocks))
    passed = passed_values(blocks)
    loads = [
        op for op in ops if op.results and not is_pure(type(op)) and effects_of(type(op)).reads
    ]
    bits = {op: 1 << number for number, op in enumerate(loads)}
    masks: dict[SSAValue, int] = {}

    def mask_of(values: Iterable[SSAValue]) -> int:
        mask = 0
        for value in values:
            mask |= masks.get(value, 0)
        return mask

    is_changed = True
    while is_changed:
        is_changed = False
        for op in ops:
            mask = bits.get(op, 0) | mask_of(read_operands(op))
            for result in op.results:
                if mask & ~masks.get(result, 0):
                    masks[result] = mask | masks.get(result, 0)
        for argument, values in passed.items():
            mask = mask_of(values)
            if mask & ~masks.get(argument, 0):
                masks[argument] = mask | masks.get(argument, 0)
                is_changed = True
    found: dict[Operation, tuple[Operation, ...]] = {}
    for op in ops:
        names = effects_of(type(op)).data
        stored = [value for name in names for value in values_of(op, name)]
        if stored and not op.results:
            mask = mask_of(stored)
            found[op] = tuple(load for number, load in enumerate(loads) if mask >> number & 1)
    return found
