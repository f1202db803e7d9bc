"""
Runs of a kernel with changes: trials of edits, which compile the text again, and observations of
barriers with other numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue

from ...compiler import read_kernels, verify_kernels, without_garbage_collection
from ...isa.model.rule import REGISTRY, Rule
from ...isa.practice import RULES_IN_IR, is_habit_in, kept_in_ptx
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...ptx.structure import ConstantOp
from ...reporting.diagnostics import CompileError, Edit, OperationError, Source, read_place, rule_of
from ...reporting.formats import edited, line_before
from ...simulator.machine.barrier import Came
from ...simulator.machine.errors import LaunchError
from ...simulator.machine.machine import Machine
from ...simulator.machine.state import Cluster, Cta
from ...uniformity.convergence import parting_barriers
from .. import Effort
from ..execution import Skeleton
from ..knowledge import Undecided
from ..remarks import Setting
from ..static.outline import Box
from ..static.prepared import verifiable
from ..verdict import Verdict, verdict_of
from .listing import Listing, Operand

Key = tuple[str, int]
"""The rule of a finding, and its line in the text without edits."""


def key_of(error: OperationError, edits: Sequence[Edit] = ()) -> Key:
    return rule_of(error).id, _line(error.operation, edits) or 0


def _line(op: Operation, edits: Sequence[Edit]) -> int | None:
    """The line of an operation in the text without edits, 0 for an inserted operation; None if the
    line is not known."""
    place = read_place(op.location)
    return None if place is None else line_before(edits, place.line.data)


class Result(Enum):
    """What a trial shows of a finding."""

    GONE = auto()
    """It is gone, and there is no other error that is new."""
    MOVED = auto()
    """It is gone, but there is another error."""
    SAME = auto()
    """It is still there, or an earlier error hides it, or there is no verdict."""
    NO_TEXT = auto()
    """The text has an error, or a new barrier of a warp where only some lanes are, so there was no
    run."""


class Outcome(NamedTuple):
    """The result of a trial and, if the finding is gone, what is left."""

    result: Result
    unreached: int = 0
    """Number of operations that the run does not reach because of another error."""
    warnings: int = 0
    """Number of new warnings, which the error may have hidden."""
    errors: int = 0
    """Number of errors that remain."""
    others: int = 0
    """Number of findings that remain, errors included."""

    @property
    def is_clear(self) -> bool:
        """Whether the finding is gone, and no warning is new."""
        return self.result is Result.GONE and not self.warnings

    @property
    def burden(self) -> tuple[bool, int, int, int, int]:
        """What remains, for a comparison of outcomes."""
        is_moved = self.result is Result.MOVED
        return is_moved, self.unreached, self.errors, self.warnings, self.others


_SAME = Outcome(Result.SAME)
_NO_TEXT = Outcome(Result.NO_TEXT)


@dataclass(frozen=True)
class Trial:
    """
    A finding of a kernel, to be removed: the run that has it, and all findings of the kernel.
    """

    source: Source
    kernel: str
    setting: Setting
    wrong: Key
    known: frozenset[Key]
    effort: Effort
    target: str | None = None
    ptx_version: str | None = None
    progress: Callable[[], None] = lambda: None
    """Called before each trial."""

    def read(self, source: Source) -> tuple[ModuleOp, KernelOp]:
        """The lowered or imported module of a text, and the kernel, as launches of the sizes verify
        it. Raises CompileError."""
        module = read_kernels(source, self.target, self.ptx_version).module
        sizes = self.setting.sizes
        for op in module.ops:
            if isinstance(op, KernelOp) and op.sym_name.data == self.kernel:
                op.assume(sizes.block, sizes.cluster)
        kernels = (each.kernel for each in verifiable(module))
        return module, next(each for each in kernels if each.sym_name.data == self.kernel)

    def verdict(self, source: Source) -> Verdict:
        """The verdict on the kernel in another text."""
        return verdict_of(self.read(source)[1], self.effort)

    def run(self, edits: Sequence[Edit]) -> Outcome:
        """Compile the kernel with edits, run it and judge it."""
        self.progress()
        with without_garbage_collection():
            try:
                source = edited(self.source, edits)
                module, kernel = self.read(source)
                if any(_line(op, edits) == 0 for op in parting_barriers(kernel)):
                    # Only some lanes of a warp come to a barrier of the edits.
                    return _NO_TEXT
                outcome = self._of_run(kernel, edits)
                if outcome.result is not Result.SAME:
                    # This takes as long as the run.
                    verify_kernels(module, source)
            except CompileError:
                return _NO_TEXT
            if outcome.result is Result.GONE:
                verdict = verdict_of(kernel, self.effort)
                if verdict.word == "not decided":
                    return _SAME
                outcome = self._judged(kernel, verdict.findings, edits)
            return outcome

    def _of_run(self, kernel: KernelOp, edits: Sequence[Edit]) -> Outcome:
        """The outcome of only the run that has the finding."""
        values, sizes = self.setting[:2]
        try:
            skeleton = Skeleton(kernel)
            skeleton.check()
            skeleton.infer_boxes(values, sizes)
            outcome = skeleton.run(values, sizes)
        except (Undecided, LaunchError):
            return _SAME
        if outcome.undecided is not None:
            return _SAME
        judged = self._judged(kernel, outcome.findings, edits)
        if judged.result is Result.SAME or outcome.passes:
            return judged
        unreached = sum(map(len, outcome.coverage.unreached))
        if not self._hides or unreached > self._unreached:
            # With another error before it, a step only hides it.
            return _SAME
        return judged._replace(unreached=unreached)

    @property
    def _hides(self) -> bool:
        """Whether the finding is an error, after which a run finds no warnings."""
        return REGISTRY[self.wrong[0]].severity == "error"

    @cached_property
    def _unreached(self) -> int:
        """The number of operations that the run that has the finding does not reach."""
        skeleton = Skeleton(self.read(self.source)[1])
        skeleton.infer_boxes(*self.setting[:2])
        return sum(map(len, skeleton.run(*self.setting[:2]).coverage.unreached))

    def _judged(
        self, kernel: KernelOp, findings: Sequence[OperationError], edits: Sequence[Edit]
    ) -> Outcome:
        if kernel.is_read:
            findings = [*compress(findings, kept_in_ptx(map(rule_of, findings)))]
        found = {key_of(each, edits): rule_of(each) for each in findings}
        is_of_edit = any(not line and found[id, line].severity == "error" for id, line in found)
        if self.wrong in found or is_of_edit:
            return _SAME
        new = [rule for key, rule in found.items() if key not in self.known]
        if new and not (self._hides and all(rule.severity == "warning" for rule in new)):
            return Outcome(Result.MOVED)
        if not all(map(self._may_be_hidden, new)):
            return _SAME
        errors = sum(rule.severity == "error" for rule in found.values())
        return Outcome(Result.GONE, 0, len(new), errors, len(found) - len(new))

    def _may_be_hidden(self, rule: Rule) -> bool:
        """Whether the error may have hidden a warning of a rule. In PTX text, a warning about what
        its compiler never does shows that the edits lack a step, or are wrong."""
        told = {id for id, _ in self.known - {self.wrong}}
        is_habit = rule.id in told or is_habit_in(rule, self.source.text)
        return rule not in RULES_IN_IR or is_habit


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
    """The barrier objects of a run, and the most threads of a CTA that have arrived by its end at a
    barrier of the CTA, by its number."""

    objects: tuple[Object, ...] = ()
    threads: Mapping[int, int] = {}


class Observation:
    """A kernel at the sizes of a finding, for runs that judge no access."""

    def __init__(self, listing: Listing, kernel: KernelOp, setting: Setting):
        self._listing = listing
        self.kernel = kernel
        self._setting = setting

    @cached_property
    def _boxes(self) -> Mapping[int, Box]:
        """The boxes of tensor maps, from a run without other numbers. Raises Undecided."""
        return Skeleton(self.kernel).infer_boxes(*self._setting[:2])

    @cached_property
    def plain(self) -> Observed:
        """What a run without other numbers shows, in which whatever can be complete is complete."""
        return self._observed("eager")

    @cached_property
    def _lowered(self) -> Mapping[Operation, Operation]:
        """Operation of the text -> one with the same name that is lowered from it."""
        found = ((self._listing.find(op), op) for op in self.kernel.walk())
        return {each: op for each, op in found if each is not None and each.name == op.name}

    def with_number(self, operands: Iterable[Operand], number: int) -> Observed:
        """What a run shows in which operands of the text are another number."""
        changed: list[tuple[Operand, SSAValue]] = []
        for op, index in operands:
            lowered = self._lowered.get(op)
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
        objects: list[Object] = []
        threads: dict[int, int] = {}

        def look(cluster: Cluster) -> None:
            for cta in cluster.ctas:
                objects.extend(self._objects(cta))
                for number, barrier in cta.barriers.items():
                    threads[number] = max(threads.get(number, 0), barrier.arrived)

        def look_at_all(machine: Machine) -> None:
            for cluster in machine.clusters:
                look(cluster)

        try:
            skeleton = Skeleton(self.kernel)
            run = *self._setting[:2], self._boxes
            skeleton.observe(*run, look_at_all, schedule=schedule, ended=look)
        except (Undecided, LaunchError):
            return Observed()
        return Observed(tuple(objects), threads)

    def _objects(self, cta: Cta) -> Iterator[Object]:
        for at, barrier in cta.mbarriers.items():
            init, variable = self._listing.find(barrier.init), cta.shared.variable(at)
            came = tuple((self._listing.find(each.op), each) for each in barrier.came)
            if init is not None and variable is not None:
                name = variable.name.removeprefix("@")
                offset = at - variable.offset
                phases = barrier.phases
                yield Object(init, cta.rank, name, offset, came, phases.over, phases.awaited)


def _constant(operand: Operand, number: int) -> SSAValue:
    """A new constant before an operation, as wide as its operand."""
    type_ = operand.value.type
    bits = register_bits(type_)
    assert bits is not None and operand.op.parent is not None
    value = IntegerAttr(number, bits)
    constant = ConstantOp.create(properties={"value": value}, result_types=(type_,))
    operand.op.parent.insert_op_before(constant, operand.op)
    return constant.result
