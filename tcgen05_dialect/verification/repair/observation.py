"""Runs of a kernel with other numbers, and what they show of its barriers."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...ptx.structure import ConstantOp
from ...reporting.diagnostics import text_place
from ...simulator.machine.barrier import Came
from ...simulator.machine.errors import LaunchError
from ...simulator.machine.machine import Machine
from ..equations import Box
from ..execution import Skeleton
from ..judgement import Setting
from ..knowledge import Undecided
from .listing import Listing, Operand

_Place = tuple[str, int, int]
"""The name of an operation, its line and its column."""


class Object(NamedTuple):
    """A barrier object at the end of a run: the operation that initialised it, the rank of its CTA,
    its variable, its first byte there, what came in its last phase, by operation, the number of
    phases that are over, and for how many of all phases threads have waited."""

    init: Operation
    cta: int
    variable: str
    offset: int
    came: tuple[tuple[Operation | None, Came], ...]
    over: int
    awaited: int

    @property
    def arrivals(self) -> int:
        return sum(each.arrivals for _, each in self.came)

    @property
    def missing_bytes(self) -> int:
        """Bytes that are expected and have not come; negative if more came."""
        return sum(each.expected - each.completed for _, each in self.came)

    @property
    def is_ignored(self) -> bool:
        """Whether threads go on without waiting for its phases."""
        return self.over > self.awaited + (1 if self.awaited else 0)

    @property
    def is_stuck(self) -> bool:
        """Whether threads wait for a phase that is not over."""
        return self.awaited > self.over


class Observed(NamedTuple):
    """The barrier objects of a run that ends in a deadlock, and the most threads of a CTA that have
    arrived by then at a barrier of the CTA, by its number."""

    objects: tuple[Object, ...]
    threads: Mapping[int, int]


class Observation:
    """A kernel at the sizes of a finding, for runs that judge no access."""

    def __init__(self, listing: Listing, kernel: KernelOp, setting: Setting):
        self._listing = listing
        self._kernel = kernel
        self._setting = setting

    @cached_property
    def _boxes(self) -> Mapping[int, Box]:
        """The boxes of tensor maps, from a run without other numbers. Raises Undecided."""
        return Skeleton(self._kernel).infer_boxes(*self._setting[:2])

    @cached_property
    def plain(self) -> Observed:
        """What a run without other numbers shows, in which whatever can be complete is complete."""
        return self._observed("eager")

    @cached_property
    def _lowered(self) -> Mapping[_Place, Operation]:
        return {place: op for op in self._kernel.walk() if (place := _place(op))}

    def with_number(self, operands: Iterable[Operand], number: int) -> Observed:
        """What a run shows in which operands of the text are another number."""
        changed: list[tuple[Operand, SSAValue]] = []
        for op, index in operands:
            place = _place(op)
            lowered = None if place is None else self._lowered.get(place)
            if lowered is not None:
                operand = Operand(lowered, index)
                changed.append((operand, operand.value))
                lowered.operands[index] = _constant(operand, number)
        try:
            return self._observed("lazy")
        finally:
            for (op, index), before in changed:
                constant = op.operands[index].owner
                op.operands[index] = before
                assert isinstance(constant, Operation)
                constant.detach()
                constant.erase()

    def _observed(self, schedule: str) -> Observed:
        try:
            skeleton = Skeleton(self._kernel)
            return skeleton.observe(*self._setting[:2], self._boxes, self._look, schedule=schedule)
        except (Undecided, LaunchError):
            return Observed((), {})

    def _look(self, machine: Machine) -> Observed:
        objects: list[Object] = []
        threads: dict[int, int] = {}
        for cta in (cta for cluster in machine.clusters for cta in cluster.ctas):
            for at, barrier in cta.mbarriers.items():
                init, variable = self._listing.find(barrier.init), cta.shared.variable(at)
                came = tuple((self._listing.find(each.op), each) for each in barrier.came)
                if init is not None and variable is not None:
                    name = variable.name.removeprefix("@")
                    offset = at - variable.offset
                    phases = barrier.phases
                    counts = phases.over, phases.awaited
                    objects.append(Object(init, cta.rank, name, offset, came, *counts))
            for number, barrier in cta.barriers.items():
                threads[number] = max(threads.get(number, 0), barrier.arrived)
        return Observed(tuple(objects), threads)


def _constant(operand: Operand, number: int) -> SSAValue:
    """A new constant before an operation, as wide as its operand."""
    type_ = operand.value.type
    bits = register_bits(type_)
    assert bits is not None and operand.op.parent is not None
    value = IntegerAttr(number, bits)
    constant = ConstantOp.create(properties={"value": value}, result_types=(type_,))
    operand.op.parent.insert_op_before(constant, operand.op)
    return constant.result


def _place(op: Operation) -> _Place | None:
    place = text_place(op.location)
    return None if place is None else (op.name, place.line.data, place.column.data)
