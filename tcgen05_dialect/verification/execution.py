"""Skeleton runs: the emulator on a launch that the verifier invents, without data."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TypeVar

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.instructions.copies import BOX_FIELDS
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.model.rule import Violation
from ..isa.practice import INITIALISATION, PROXY, RACE, STEPS, TENSOR_ORDER
from ..isa.ptx.kernel import HOST_FUNCTIONS
from ..isa.tensor_memory.alloc import CELL_BITS, COLUMNS
from ..ptx.analysis.known_values import constant_value
from ..ptx.analysis.values import slice_of
from ..ptx.contract import AssumeOp
from ..ptx.control_flow import CallOp
from ..ptx.instructions import (
    TensormapCpFenceproxyOp,
    TensormapReplaceDimensionOp,
    TensormapReplaceModeOp,
    TensormapReplaceOp,
)
from ..ptx.kernel import KernelOp
from ..ptx.structure import InlineOp
from ..ptx.tcgen05 import AllocOp
from ..ptx.text.syntax import word_of
from ..ptx.types import ParamArrayType, TensorMapType
from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.launch.clusters import Bits, Grid
from ..simulator.launch.launch import Coverage, coverage_of
from ..simulator.machine.errors import place_of
from ..simulator.machine.machine import Group, Machine, Schedule
from ..simulator.machine.program import Program, watched
from ..simulator.machine.run import run_machine
from ..simulator.machine.state import Cluster, LaunchSizes
from ..simulator.numbers.integers import SEEDS
from ..simulator.order.race_detector import Judge
from . import MAX_STEPS, Budget, Progress
from .determinism import (
    Answer,
    Answering,
    Determinism,
    EffectLog,
    OneByOne,
    is_strong_write,
)
from .knowledge import Knowledge, Undecided, by_data, cut, doubt_of
from .launches import Cluster as Extents
from .launches import Inventing, bind, clusters_of, launches_of, marking, waiting_clusters
from .static.boxes import (
    Columns,
    Copies,
    products_of,
    ranks_of,
    recording,
    suggested,
)
from .static.control import (
    Touched,
    choices_of,
    decisive_values,
    is_flag,
    ring_operations,
    stage_numbers,
)
from .static.inventory import Inventory, opaque_parameter, pointers_of
from .static.loops import Visits, loops_of, visiting
from .static.members import shown_name
from .static.outline import Box, Outline

_Seen = TypeVar("_Seen")
_SEVERAL = 1024
"""Extent of a matrix of several tiles."""
_Record = TypeVar("_Record", bound=Copies)
_CHANGES_OF_MAPS = (
    TensormapReplaceOp,
    TensormapReplaceDimensionOp,
    TensormapReplaceModeOp,
    TensormapCpFenceproxyOp,
)
AT_ANY_SIZE = (RACE, PROXY, TENSOR_ORDER, INITIALISATION)
"""Rules that a kernel must keep at any sizes, even at sizes that it does not support."""


@dataclass(frozen=True)
class Outcome:
    """
    Result of a run: the error that ended it, the warnings, or why nothing is decided, and the
    operations that it reached.
    """

    error: OperationError | None = None
    warnings: tuple[OperationError, ...] = ()
    undecided: Undecided | None = None
    coverage: Coverage = field(default_factory=Coverage)
    doubt: Undecided | None = None
    """The condition that failed under which the run speaks for every schedule."""
    effects: Mapping[Hashable, int] = field(default_factory=dict[Hashable, int])
    """The record of `EffectLog`."""
    is_read: bool = False
    """Whether the kernel was read from PTX."""
    residue: Hashable = None
    """What is pending at barriers when the clusters end."""
    unawaited: Sequence[int] = ()
    """The number of phases for which no thread waited, in each cluster."""
    later: tuple[OperationError, ...] = ()
    """Errors after the first one that do not involve its operations."""
    races: Sequence[OperationError] = ()
    """The unordered accesses, even if it is not decided whether they count."""

    @property
    def findings(self) -> list[OperationError]:
        """The errors, and the warnings."""
        return [*([] if self.error is None else [self.error]), *self.later, *self.warnings]

    @property
    def passes(self) -> bool:
        return self.error is None and self.undecided is None


class Skeleton:
    """A kernel, prepared for runs without data; or, if it `chooses`, for runs with chosen data, of
    which nothing is left out."""

    def __init__(self, kernel: KernelOp, chooses: bool = False):
        self.kernel = kernel
        self.ops = Inventory(kernel)
        calls = (op for op in self.ops.of(CallOp) if op.callee.string_value() not in HOST_FUNCTIONS)
        for op in (*self.ops.of(InlineOp), *calls):
            raise Undecided(f"the emulator does not support {op.name}, {place_of(op)}")
        self.slice = slice_of(kernel)
        self.pointers = pointers_of(self.ops)
        self.descriptors: dict[BlockArgument, InstructionDescriptor] = {}
        """Instruction descriptor that only a launch gives -> the guess that takes its place."""
        self._products = products_of(self.numbers)
        allocated = (constant_value(op.columns) for op in self.ops.of(AllocOp))
        most = min(filter(None, allocated), default=COLUMNS)
        for number, products in self._products.items():
            self.descriptors[number] = suggested(products[0], most)
        self.knowledge = Knowledge(self.slice, chooses)
        self.determinism = Determinism()
        self.loops = loops_of(kernel)
        self.visits = {loop: Visits() for loop in self.loops}
        before = [self.knowledge.before, self.determinism.before, visiting(self.visits)]
        self.rings = ring_operations(self.loops)
        """The loops whose barrier objects change, with the operations on these."""
        self.touched = Touched(frozenset(op for ops in self.rings.values() for op in ops))
        if any(loop.may_hide_stages for loop in self.rings):
            before.append(self.touched.before)
        self.choices = choices_of(self.ops)
        """Polls whose results decide more than whether to ask again."""
        self.effects = EffectLog()
        self.answers: list[Answer] = [None]
        """The answers to polls with which one size is run."""
        if self.choices:
            before.append(self.effects.before)
            self.answers += [True, False]
        handlers = {**self.knowledge.handlers(self.ops), **recording(lambda: self._copies)}
        handlers = {
            op_type: watched(handler, before, [self.knowledge.after])
            for op_type, handler in handlers.items()
        }
        self.flags = [*filter(is_flag, self.ops.ops)]
        if self.flags and any(map(is_strong_write, self.ops.ops)):
            handlers = {each: OneByOne.postponing(handler) for each, handler in handlers.items()}
            self.answers.append("each")
        self._handlers = handlers
        self._chooses = chooses
        try:
            self.program = (
                self._whole
                if chooses
                else Program(kernel, marking(handlers, self.slice), self.slice.keeps, self.numbers)
            )
        except OperationError as error:
            op = error.operation
            what = f"the emulator does not support {op.name}, {place_of(op)}"
            raise Undecided(what) from error
        self.shortage = ""
        """Sentence: a phase expects fewer bytes than are read in its tiles, if one does."""
        self.max_steps = MAX_STEPS
        """Limit on the instructions of a run, for each CTA."""
        self._copies: Copies | None = None
        self.readers: Mapping[int, Collection[str]] = {}
        """Parameter of a tensor map whose box is inferred -> the readers of its loaded tiles."""
        self.stopped: Exception | None = None
        """The error that ended the last run of `observe`."""
        self._racing: set[Operation] = set()
        """Operations that a run with data has found unordered."""
        self._count = 0
        """The number of runs so far."""
        self._residue: list[Hashable] = []
        self._unawaited: list[int] = []
        self._boxes = self._typed_boxes()
        """Number of a parameter -> the box of its tensor map."""

    @cached_property
    def _whole(self) -> Program:
        """The kernel with the operations that compute data."""
        return Program(self.kernel, self._handlers, self._is_known)

    def _is_known(self, op: Operation) -> bool:
        """Whether an operation asks nothing of the data that a run invents."""
        return self._chooses or type(op) is not AssumeOp or self.slice.keeps(op)

    def _program_of(self, judge: Judge) -> Program:
        """The program to run: data are computed only if they are invented."""
        is_whole = isinstance(judge, Inventing) and judge.seed is not None
        return self._whole if is_whole else self.program

    @cached_property
    def seeds(self) -> Sequence[int]:
        """The seeds of the data to run with."""
        return range(SEEDS if self.slice.compares_data(self.ops.ops) else 1)

    @property
    def is_read(self) -> bool:
        """Whether the kernel was read from PTX, which has one variable for all tiles."""
        return self.kernel.declarations is not None

    @property
    def has_boxes(self) -> bool:
        """Whether the sizes of boxes are known or inferred."""
        return bool(self._boxes)

    @property
    def knows_boxes(self) -> bool:
        """Whether the boxes of all tensor maps are known or inferred."""
        maps = (p.index for p in self.parameters if isinstance(p.type, TensorMapType))
        return all(index in self._boxes for index in maps)

    @property
    def guessed(self) -> list[BlockArgument]:
        """The parameters that may have another value: tensor maps with boxes of another size, and
        instruction descriptors."""
        boxes = self._boxes
        maps = (p for p in self.parameters if p.index in boxes and boxes[p.index].is_guess)
        return [*maps, *self.descriptors]

    @property
    def boxes(self) -> Mapping[int, Box]:
        """The known boxes of tensor maps by the numbers of parameters."""
        return self._boxes

    def box_of(self, parameter: BlockArgument) -> Box:
        return self._boxes[parameter.index]

    def _typed_boxes(self) -> dict[int, Box]:
        return {
            p.index: Box(box.bytes, box.shared_bytes)
            for p in self.parameters
            if isinstance(p.type, TensorMapType) and (box := p.type.box) is not None
        }

    @property
    def parameters(self) -> tuple[BlockArgument, ...]:
        return tuple(self.kernel.body.blocks[0].args)

    @property
    def numbers(self) -> list[BlockArgument]:
        """The parameters that are numbers."""
        others = TensorMapType | ParamArrayType
        return [
            p
            for p in self.parameters
            if p not in self.pointers
            and p not in self.descriptors
            and not isinstance(p.type, others)
        ]

    @cached_property
    def decisive(self) -> set[SSAValue]:
        """The values that decide what the kernel does to barriers, shared and tensor memory."""
        return decisive_values(self.ops)

    @cached_property
    def stage_numbers(self) -> list[BlockArgument]:
        """The numbers among the parameters that are numbers of stages."""
        return stage_numbers(self.ops, self.numbers, self.loops)

    def check(self) -> None:
        """Raise Undecided if a run without data and without a launch cannot judge the kernel."""
        if self.slice.undecided:
            value = self.slice.undecided[0]
            assert isinstance(value.owner, Operation)
            raise by_data(value, value.owner)
        changes = self.ops.of(*_CHANGES_OF_MAPS)
        if changes and not self._makes_maps(changes):
            op = changes[0]
            raise Undecided(f"{op.name}, {place_of(op)}, depends on the launch")
        if found := opaque_parameter(self.ops, self.numbers):
            number, op = found
            used = f"{op.name}, {place_of(op)}, uses {_name(number)}"
            raise Undecided(f"{used}, which is known only at launch")

    def _makes_maps(self, changes: Sequence[Operation]) -> bool:
        """Whether the tensor maps that a kernel changes follow from the kernel: it sets the fields
        that give their boxes, and no launch gives other maps."""
        fields = {field for op in changes if (field := word_of(op, "field"))}
        given = any(isinstance(p.type, TensorMapType) for p in self.parameters)
        return fields >= BOX_FIELDS and not given

    @property
    def clusters(self) -> list[Extents]:
        """The clusters with which the kernel may be launched."""
        return clusters_of(self.ops, self.kernel.extents("cluster_dims"))

    @property
    def waiting(self) -> Sequence[int]:
        """The numbers of clusters whose work the first one may take over; empty if it never
        does."""
        return waiting_clusters(self.ops)

    def launches(self, cluster: Extents = None) -> list[LaunchSizes]:
        """Sizes of launches with a cluster, by default the smallest. Raises Undecided."""
        return launches_of(self.program, self.ops, cluster or self.clusters[0])

    def _machine(
        self,
        values: Mapping[int, Bits],
        sizes: LaunchSizes,
        schedule: Schedule,
        judge: Judge,
        computes: bool = False,
        program: Program | None = None,
    ) -> Machine:
        program = program or self._program_of(judge)
        ctas = sizes.grid if sizes.alone is None else sizes.cluster
        limit = self.max_steps * prod(ctas)
        machine = Machine(schedule, sizes, limit, computes=computes, records=False, judge=judge)
        self._count += 1
        self.knowledge.forget()
        program.forget_ways()
        for each in self.visits.values():
            each.begin()
        self.determinism.begin()
        self.effects.found.clear()
        self.touched.begin()
        seed = judge.seed if isinstance(judge, Inventing) else None
        if self.descriptors:
            guesses = {p.index: guess.encode() for p, guess in self.descriptors.items()}
            values = {**values, **guesses}
        bound = bind(machine, self.parameters, self.pointers, values, self._outlines(), seed)
        grid = Grid(machine, program, *bound)
        # While one cluster runs, the others wait, so that it may take over their work.
        grid.start(*((1,) if self.waiting else ()))
        self._residue.clear()
        self._unawaited.clear()
        start_next = machine.ended

        def ended(cluster: Cluster) -> None:
            self._residue.append(residue_of(cluster))
            self._unawaited.append(_unawaited(cluster))
            start_next(cluster)

        machine.ended = ended
        if self.knowledge.chosen is not None:
            for cluster in machine.clusters:
                for cta in cluster.ctas:
                    cta.tensor.cells[:] = self.knowledge.chosen % (1 << CELL_BITS)
        return machine

    def infer_boxes(self, values: Mapping[int, int], sizes: LaunchSizes) -> dict[int, Box]:
        """Find the boxes of tensor maps by a run of the kernel. Raises Undecided."""
        self._infer_descriptors(sizes)
        if all(p.type.box for p in self.parameters if isinstance(p.type, TensorMapType)):
            return {}
        copies, doubt = self._recorded(Copies(is_merged=self.is_read), values, sizes)
        typed, boxes = self._typed_boxes(), copies.boxes()
        if doubt is not None and not copies.without_phase <= typed.keys():
            raise doubt
        self.shortage, self.readers = copies.shortage, copies.readers(boxes)
        self._boxes = {index: box for index, box in boxes.items() if box} | self._boxes
        for index, box in boxes.items():
            if index not in typed and index >= 0 and (box is None or box.readers):
                reason = copies.contradiction(index)
                raise Undecided(self._no_box(self.parameters[index], box, reason))
        return self._boxes

    def _infer_descriptors(self, sizes: LaunchSizes) -> None:
        """Guess the instruction descriptors that are parameters, from the columns that loads read
        in a run whose sizes are those of several tiles."""
        if not self._products:
            return
        contracts = self.kernel.contracts()
        values = {p.index: contracts[p.index].smallest_from(_SEVERAL) for p in self.numbers}
        columns, _ = self._recorded(Columns(is_merged=self.is_read), values, sizes)
        for number, products in self._products.items():
            if width := columns.width(products):
                self.descriptors[number] = suggested(products[0], width)

    def _recorded(
        self, copies: _Record, values: Mapping[int, int], sizes: LaunchSizes
    ) -> tuple[_Record, Undecided | None]:
        """A record of a run in which copies move no data, and why no run gets further; None if the
        run ended otherwise. The record ends with an error, which the runs that follow report."""
        self._copies, doubt = copies, None
        machine = self._machine(values, sizes, Schedule("eager"), copies)
        machine.idle = copies.end_phases
        try:
            with closing(machine), suppress(Violation):
                run_machine(machine, self._watch)
        except OperationError as error:
            doubt = doubt_of(self, error, rule_of(error))
        except Undecided as undecided:
            if undecided.is_cut:
                raise
            doubt = undecided
        finally:
            self._copies = None
        return copies, doubt

    def _no_box(self, map_: BlockArgument, box: Box | None, reason: str) -> str:
        """Why the box of a tensor map is unknown; `box` is what the phases of a run tell of it, and
        `reason` why they contradict the tiles."""
        text = f"the box of {_name(map_)} cannot be inferred"
        if box is not None:
            one, other = box.readers
            text += f": its {box.bytes} bytes would be a tile of {one} and a tile of {other}"
        elif reason:
            text += f": {reason}"
        if self.is_read:
            return text
        return f"{text}; write it in its type, as in !ptx.tensor_map<128x64xbf16, swizzle_128b>"

    def run(
        self,
        values: Mapping[int, int],
        sizes: LaunchSizes,
        answer: Answer = None,
    ) -> Outcome:
        """Run the kernel at some sizes and judge it. `answer` is the result of the polls in
        `choices`; without it, they get both. With "highest", elect.sync elects the highest lane."""
        if self._chooses:
            return self._run(values, sizes, answer, self._inventing(0))
        first = self._run(values, sizes, answer, Judge(goes_on=True))
        return self.with_data(first, values, sizes, answer)

    def run_together(
        self, values: Mapping[int, Bits], sizes: LaunchSizes, split: Callable[[Group, int], None]
    ) -> Outcome:
        """Run the kernel with several values of some parameters; `split` must leave one of each. An
        outcome with races needs `with_data`."""
        return self._run(values, sizes, None, Judge(goes_on=True), split=split)

    def with_data(
        self,
        first: Outcome,
        values: Mapping[int, int],
        sizes: LaunchSizes,
        answer: Answer = None,
    ) -> Outcome:
        """The outcome of a run, or, if races depend on data, that of a run with data."""
        suspects = {each.operation for each in first.races if self._is_suspect(each)}
        if suspects <= self._racing:
            return first
        # The marks in place of data differ, but the data may be the same.
        found = first
        for seed in self.seeds:
            found = self._with_data(values, sizes, answer, seed)
            if not found.passes:
                break
        self._racing |= {each.operation for each in found.races}
        return found

    def _with_data(
        self, values: Mapping[int, int], sizes: LaunchSizes, answer: Answer, seed: int
    ) -> Outcome:
        """The outcome of a run with invented data."""
        found = Outcome()
        for computes in (True, False):
            found = self._run(values, sizes, answer, self._inventing(seed), computes)
            # Products may refuse invented data, such as the metadata of sparse matrices.
            if found.error is None or rule_of(found.error) is RACE:
                break
        return found

    def _inventing(self, seed: int) -> Inventing:
        return Inventing(goes_on=True, seed=seed, asked=self.knowledge.asked)

    def _is_suspect(self, race: OperationError) -> bool:
        """Whether an unordered access is a store by threads of what may be data."""
        ops = race.operation, race.related or race.operation
        return any(map(self.slice.stored_by_threads, ops))

    def _run(
        self,
        values: Mapping[int, Bits],
        sizes: LaunchSizes,
        answer: Answer,
        judge: Judge,
        computes: bool = False,
        split: Callable[[Group, int], None] | None = None,
    ) -> Outcome:
        each = OneByOne() if answer == "each" else None
        schedule = each or (
            Answering(self.choices, answer)
            if isinstance(answer, bool)
            else Schedule("lazy", elects_highest=answer == "highest")
        )
        machine = self._machine(values, sizes, schedule, judge, computes)
        if each is not None:
            machine.idle = each.release
        if split is not None:
            machine.split = split
        error, undecided = None, None
        with closing(machine):
            try:
                run_machine(machine, self._watch)
            except OperationError as found:
                error = found
            except Undecided as found:
                undecided = found
        if error is not None and rule_of(error) is STEPS:
            # A run that never ends has no end at other sizes, either.
            self.max_steps = MAX_STEPS
        errors = machine.judge.errors
        if error is not None and not machine.judge.follows(error):
            errors.append(error)
        if errors:
            error, undecided = errors[0], None
        if error is not None and undecided is None:
            undecided = doubt_of(self, error, rule_of(error))
        coverage = coverage_of(self._program_of(judge), machine.waits, None, tells=False)
        doubt, effects = self.determinism.doubt, self.effects.found.copy()
        self.determinism.begin()
        warnings = tuple(machine.judge.warnings)
        return Outcome(
            error,
            warnings,
            undecided,
            coverage,
            doubt,
            effects,
            self.is_read,
            tuple(self._residue),
            tuple(self._unawaited),
            tuple(each for each in errors[1:] if doubt_of(self, each, rule_of(each)) is None),
            [each for each in errors if rule_of(each) is RACE],
        )

    def observe(
        self,
        values: Mapping[int, int],
        sizes: LaunchSizes,
        boxes: Mapping[int, Box],
        look: Callable[[Machine], _Seen],
        judge: Judge | None = None,
        schedule: str = "lazy",
        computes: bool = False,
        ended: Callable[[Cluster], None] | None = None,
        part: Program | None = None,
    ) -> _Seen:
        """
        What a function sees of the machine at the end of a run, with the boxes of tensor maps.

        Without a judge it accepts all accesses. Products are computed if it `computes`. `ended`
        receives each cluster that has ended, which the machine then forgets. Only a `part` of the
        kernel runs if it is given, in which all memory counts as written. Raises LaunchError.
        """
        self._boxes |= boxes
        kind, judge_ = Schedule(schedule), judge or Copies()
        machine = self._machine(values, sizes, kind, judge_, computes, part)
        if judge is None or part is not None:
            for cta in (cta for cluster in machine.clusters for cta in cluster.ctas):
                cta.shared.written[:] = True
                cta.tensor.starts_written = True
        if ended is not None:
            machine.ended = _both(ended, machine.ended)
        with closing(machine):
            self.stopped = None
            try:
                run_machine(machine, self._watch)
            except (OperationError, Violation, Undecided) as error:
                if isinstance(error, Undecided) and error.is_cut:
                    raise
                # Only what happened before an error counts.
                self.stopped = error
            return look(machine)

    def _watch(self, steps: int, _: int) -> None:
        """Tell how far a run is. Raises Undecided if no time is left for it."""
        if Budget.is_spent():
            raise cut("before the runs that a verdict needs had ended")
        Progress.tell(f"run {self._count}, {steps} instructions")

    def _outlines(self) -> dict[int, Outline]:
        return {
            p.index: Outline(
                p.index, self._boxes.get(p.index, Box()), (1,) * self._ranks.get(p.index, 1)
            )
            for p in self.parameters
            if isinstance(p.type, TensorMapType)
        }

    @cached_property
    def _ranks(self) -> Mapping[int, int]:
        """Number of a parameter -> the number of coordinates of its tensor map."""
        return ranks_of(self.ops)


def _both(
    first: Callable[[Cluster], None], second: Callable[[Cluster], None]
) -> Callable[[Cluster], None]:
    def both(cluster: Cluster) -> None:
        first(cluster)
        second(cluster)

    return both


def residue_of(cluster: Cluster) -> Hashable:
    """What is pending at the barriers of a cluster."""
    return tuple(
        (
            tuple((at, each.pending, each.bytes) for at, each in sorted(cta.mbarriers.items())),
            tuple((name, each.arrived) for name, each in sorted(cta.barriers.items())),
        )
        for cta in cluster.ctas
    )


def _unawaited(cluster: Cluster) -> int:
    barriers = (each for cta in cluster.ctas for each in cta.mbarriers.values())
    return sum(each.phases.over - each.phases.awaited for each in barriers)


def _name(parameter: BlockArgument) -> str:
    return f"parameter {shown_name(parameter)}"
