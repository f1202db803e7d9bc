"""Trial of a kernel: sizes with which it runs, and the memory that it then accesses."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, DEADLOCK
from ..ptx.kernel import KernelOp
from ..ptx.structure import ConstantOp, InlineOp
from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.machine.errors import LaunchError
from ..simulator.machine.machine import Machine
from ..simulator.machine.state import LaunchSizes
from ..simulator.machine.tensor_memory import Memory, Shadowed
from ..simulator.order.events import Source
from ..simulator.order.race_detector import Judge
from ..simulator.order.shadow import Where
from ..verification.execution import Skeleton
from ..verification.knowledge import Undecided, may_choose
from ..verification.sizes import Chooser
from ..verification.static.inventory import unknown_threads
from ..verification.static.outline import Outline
from ..verification.static.prepared import verifiable
from ..verification.verdict import fitting_threads

Coordinates = tuple[int, ...]
"""The coordinates of a box in a tensor, innermost dimension first."""
Key = tuple[int, int]
"""A parameter, or a member of it: the number of the parameter, and the first byte of the member."""
_THREADS = 128
"""Threads of a CTA, if neither the kernel nor `check` says how many."""
_CHOSEN = 1
"""What loads read on whose values control or addresses depend."""
_OF_SIZES = BOUNDS, ALIGNMENT, DEADLOCK, ASSUMPTION_RULE
"""Rules that a right kernel may break at sizes for which it is not made."""


class Trial(NamedTuple):
    """
    Sizes of a launch, and what a run without data accesses with them.

    `cluster` has the extents of a cluster. `numbers` are the values of numbers, `ends` the bytes of
    arrays up to the last access, `boxes` the bytes of boxes, if they are certain, `readers` what
    reads the boxes, if they are inferred, and `origins` the coordinates of the boxes that copies
    use. `deciding` are the arrays whose contents decide
    control or addresses. `is_run` tells whether the kernel ran with these sizes.
    """

    cluster: tuple[int, ...] = ()
    numbers: Mapping[Key, int] = {}
    ends: Mapping[Key, int] = {}
    boxes: Mapping[Key, int] = {}
    readers: Mapping[Key, Collection[str]] = {}
    origins: Mapping[Key, Collection[Coordinates]] = {}
    deciding: Collection[Key] = ()
    is_run: bool = False


def _leave_out_unknown(kernel: KernelOp) -> bool:
    """Remove the instructions that the emulator does not know. Their results become the previous
    contents of the registers, or 1. Return whether there were any."""
    unknown = [op for op in kernel.walk() if isinstance(op, InlineOp)]
    for op in unknown:
        for index, result in enumerate(op.outputs):
            value = op.kept[index] if op.kept else None
            if value is None:
                constant = ConstantOp(value=_CHOSEN, result_type=result.type)
                Rewriter.insert_op(constant, InsertPoint.before(op))
                value = constant.result
            result.replace_all_uses_with(value)
        Rewriter.erase_op(op)
    return bool(unknown)


@dataclass(eq=False)
class _Accesses(Judge):
    """Record of the accesses of a run to global memory."""

    checks: ClassVar[bool] = False
    ends: dict[Memory, int] = field(default_factory=dict[Memory, int])
    """Memory -> the byte after the last access."""
    read_by: dict[Operation, set[Memory]] = field(default_factory=dict[Operation, set[Memory]])
    """Operation -> the memories that it reads."""

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        if isinstance(memory, Memory):
            self.ends[memory] = max(where.bounds[0].stop, self.ends.get(memory, 0))
            if not written:
                self.read_by.setdefault(source.op, set()).add(memory)

    def sources(self, loads: Collection[Operation], arrays: Collection[Memory]) -> set[Memory]:
        """The arrays whose contents loads may read: all, if copies bring what the loads read."""
        read = {memory for op in loads for memory in self.read_by.get(op, ())}
        if not read.issubset(arrays):
            read = {memory for each in self.read_by.values() for memory in each}
        return read.intersection(arrays)


class Trials:
    """
    The trials of a kernel in the `ptx` dialect.

    `first` is the first trial that runs or, if none does, the first trial; it is empty if no sizes
    can be chosen. Its grid is one cluster. Its parameters have the given `numbers`, by index, or
    larger ones if the contract of the kernel requires them. `threads` is the number of threads
    of a CTA, if the kernel does not give it.
    """

    def __init__(self, kernel: KernelOp, numbers: Mapping[int, int]):
        module = kernel.parent_op()
        assert isinstance(module, ModuleOp)
        copy = module.clone()
        for op in copy.ops:
            if isinstance(op, KernelOp) and not (op.extents("reqntid") or op.extents("maxntid")):
                op.properties["reqntid"] = DenseArrayBase.from_list(i32, [_THREADS])
        (found,) = (each for each in verifiable(copy) if each.kernel.sym_name == kernel.sym_name)
        self._is_whole = not _leave_out_unknown(found.kernel)
        self._kernel, self._members = found.kernel, found.members
        self._contracts = found.kernel.contracts()
        self._used: tuple[Skeleton, LaunchSizes, Mapping[int, int]] | None = None
        self.first, self.threads = Trial(), _THREADS
        is_given = kernel.extents("reqntid") or kernel.extents("maxntid")
        # An instruction may be wrong with each value of its operands.
        with suppress(Undecided, LaunchError, OperationError, VerifyException):
            if not is_given and not unknown_threads(kernel):
                self.threads, _ = fitting_threads(found.kernel)
            self.first = self._result(numbers)

    def other(self, numbers: Mapping[int, int], grid: tuple[int, ...] | None) -> Trial:
        """The trial with other numbers than those of the first one, and another grid."""
        if self._used is None:
            return Trial()
        skeleton, sizes, values = self._used
        if grid is not None:
            x, y, z = (*grid, 1, 1)[:3]
            sizes = replace(sizes, grid=(x, y, z))
        with suppress(LaunchError):
            found = self._observed(skeleton, sizes, {**values, **self._allowed(numbers)})
            # The first trial has shown other mistakes than those of sizes.
            return found._replace(is_run=skeleton.stopped is None)
        return Trial()

    def _allowed(self, numbers: Mapping[int, int]) -> dict[int, int]:
        return {index: self._contracts[index].smallest_from(n) for index, n in numbers.items()}

    def _result(self, numbers: Mapping[int, int]) -> Trial:
        """The first trial that runs, or else the first. Raises Undecided and LaunchError."""
        try:
            return self._first(numbers, chooses=False)
        except Undecided as error:
            if not error.by_data:
                raise
        return self._first(numbers, chooses=True)

    def _first(self, numbers: Mapping[int, int], chooses: bool) -> Trial:
        given, tried = self._allowed(numbers), dict[tuple[int, ...], Trial]()
        skeleton = self._skeleton(chooses)
        for index, cluster in enumerate(skeleton.clusters):
            # Another cluster has other boxes of tensor maps.
            skeleton = self._skeleton(chooses) if index else skeleton
            sizes, *_ = skeleton.launches(cluster)
            scenarios = Chooser(skeleton, sizes).scenarios(thorough=False)
            with suppress(Undecided):
                skeleton.infer_boxes(scenarios[0].values, sizes)
            for values in ({**scenario.values, **given} for scenario in scenarios):
                key = index, *values.values()
                if key in tried:
                    continue
                tried[key] = self._tried(skeleton, sizes, values)
                if tried[key].is_run:
                    self._used = skeleton, sizes, values
                    return tried[key]
        return next(iter(tried.values()))

    def _skeleton(self, chooses: bool) -> Skeleton:
        skeleton = Skeleton(self._kernel, chooses)
        if not chooses:
            skeleton.check()
        elif may_choose(skeleton.slice.undecided):
            skeleton.knowledge.chosen = _CHOSEN
        return skeleton

    def _tried(self, skeleton: Skeleton, sizes: LaunchSizes, values: Mapping[int, int]) -> Trial:
        outcome = skeleton.run(values, sizes)
        if outcome.undecided is not None and outcome.undecided.by_data:
            raise outcome.undecided
        # Another mistake of the kernel is not a reason to doubt the sizes.
        of_sizes = outcome.error is not None and rule_of(outcome.error) in _OF_SIZES
        is_run = self._is_whole and outcome.undecided is None and not of_sizes
        return self._observed(skeleton, sizes, values)._replace(is_run=is_run)

    def _observed(self, skeleton: Skeleton, sizes: LaunchSizes, values: Mapping[int, int]) -> Trial:
        """What a run accesses; it accepts all accesses."""
        accesses = _Accesses()
        arrays, outlines = skeleton.observe(values, sizes, {}, _memory_of, accesses)
        ends = {
            self._key(number): accesses.ends[memory] - memory.origin
            for memory, number in arrays.items()
            if accesses.ends.get(memory, 0) > memory.origin
        }
        loads = [*skeleton.knowledge.chosen_for]
        deciding = {self._key(arrays[each]) for each in accesses.sources(loads, arrays)}
        return Trial(
            sizes.cluster,
            {self._key(number): value for number, value in values.items()},
            ends,
            {
                self._key(number): box.bytes
                for number, box in skeleton.boxes.items()
                if not (box.is_guess or box.readers)
            },
            {self._key(number): readers for number, readers in skeleton.readers.items()},
            {self._key(each.parameter): each.origins for each in outlines if each.origins},
            deciding,
        )

    def _key(self, number: int) -> Key:
        return self._members.get(number, (number, 0))


def _memory_of(machine: Machine) -> tuple[Mapping[Memory, int], list[Outline]]:
    """The arrays of a machine by the numbers of parameters, and its tensor maps."""
    maps: list[Any] = [*machine.tensor_maps.values()]
    space: Any = machine.global_space
    return space.arrays, maps
