"""Entry point of the emulator: a launch within its limits, its run, and what the run covers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from math import prod
from operator import index
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from ...compiler import (
    as_written,
    lower,
    make_context,
    read_kernels,
    verify,
    warnings_of,
    without_garbage_collection,
)
from ...isa.model.rule import describe, extents_text, raise_any
from ...isa.practice import UNWRITTEN
from ...isa.ptx.kernel import ONE_TO_THREE, ExtentLimits, extents_violations
from ...isa.targets import SHARED_BYTES
from ...language import text_source
from ...ptx.analysis.control_flow import closure
from ...ptx.control_flow import BrxOp, CondBraOp, traps
from ...ptx.kernel import KernelOp
from ...ptx.structure import GuardOp
from ...reporting.diagnostics import (
    CompileError,
    Finding,
    Source,
    as_errors,
    diagnosed,
    has_errors,
    operation_error,
    remark,
    text_place,
)
from ...reporting.formats import html_of
from ...reporting.project import check_type
from .. import Launch, Run
from ..instructions import handlers_of
from ..machine.barrier import Stuck
from ..machine.errors import LaunchError, blaming, refused
from ..machine.machine import Machine, Schedule, Statistics
from ..machine.program import Program
from ..machine.run import run_machine
from ..machine.state import Extents, LaunchSizes, Waits, Ways
from ..machine.trace import Recorder, Traced
from .clusters import Grid, change_contents, race_with_other_data

if TYPE_CHECKING:
    from .binder import Argument, Arguments

_MOST_CTAS = 1 << 20
GRID = ExtentLimits((range(1, _MOST_CTAS + 1),) * 3, _MOST_CTAS)
"""Limits of the emulator."""
_MOST_SHARED = max(SHARED_BYTES.values())


def sizes_of(kernel: KernelOp, launch: Launch, most: ExtentLimits = GRID) -> LaunchSizes:
    """Sizes of a launch with a grid of at most `most`; the directives of the kernel are the
    defaults. Raises LaunchError."""
    with blaming("block"):
        given, most_threads = launch.block, kernel.extents("maxntid")
        if given is None and kernel.extents("reqntid") is None:
            message = "the launch must give the block, because the kernel has no reqntid"
            help = "add block = [128] to the launch file, --block 128, or Launch(block=(128,))"
            raise LaunchError(message, help=help)
        block = _directed(kernel, "block", "reqntid", given)
        if most_threads is not None and prod(block) > prod(most_threads):
            legal = f"at most {prod(most_threads)}, the product of the kernel's maxntid"
            raise refused(prod(block), legal, "the number of threads of the block")
    with blaming("cluster"):
        cluster = _directed(kernel, "cluster", "cluster_dims", launch.cluster)
    with blaming("grid", "cluster"):
        grid = cluster if launch.grid is None else _grid(launch.grid, cluster, most)
    with blaming("dynamic_shared_memory"):
        shared = integer(
            launch.dynamic_shared_memory, "the dynamic shared memory", 0, _MOST_SHARED, "bytes"
        )
    return LaunchSizes(grid, block, cluster, shared)


def _directed(kernel: KernelOp, what: str, directive: str, given: Sequence[int] | None) -> Extents:
    """Extents that are legal for a directive, which gives them if the kernel has it."""
    required = kernel.extents(directive)
    extents = _integers(what, (required or (1,)) if given is None else given)
    violations = extents_violations(directive, extents)
    raise_any(each.replaced(what=f"the {what}", culprit="") for each in violations)
    if required is not None and _padded(extents) != _padded(required):
        legal = f"{extents_text(_padded(required))}, the kernel's {directive}"
        raise refused(extents_text(_padded(extents)), legal, f"the {what}")
    return _padded(extents)


def _grid(given: Sequence[int], cluster: Extents, most: ExtentLimits) -> Extents:
    extents = _integers("grid", given)
    if not most.allow(extents):
        raise refused(extents_text(extents), most.legal, "the grid")
    grid = _padded(extents)
    if any(g % c for g, c in zip(grid, cluster, strict=True)):
        legal = f"a multiple of the cluster, {extents_text(cluster)}, along each dimension"
        raise refused(extents_text(grid), legal, "the grid")
    return grid


def integer(value: Any, what: str, least: int, most: int | None = None, unit: str = "") -> int:
    """The value as an integer between `least` and `most`. Raises LaunchError."""
    try:
        number = index(value)
    except TypeError as error:
        raise refused(repr(value), f"an integer{unit and f' of {unit}'}", what) from error
    if number < least or (most is not None and number > most):
        legal = f"{least} or more" if most is None else f"{least} to {most}"
        raise refused(number, f"{legal} {unit}".strip(), what)
    return number


def _integers(what: str, given: Sequence[int]) -> tuple[int, ...]:
    try:
        return tuple(map(index, given))
    except TypeError as error:
        raise refused(repr(given), f"{ONE_TO_THREE} integers", f"the {what}") from error


def _padded(extents: tuple[int, ...]) -> Extents:
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


class Point(NamedTuple):
    """Unit of coverage: an operation that is run, a branch that goes one way, or a barrier object
    whose last phase a thread waits for. Equal points of two runs are the same point."""

    kind: str
    file: str
    line: int
    column: int
    detail: str


@dataclass(frozen=True)
class Coverage:
    """Points of a kernel, each with a remark, or None if it is covered; in order of the source."""

    points: Mapping[Point, Finding | None] = field(default_factory=dict[Point, "Finding | None"])

    @classmethod
    def of_all(cls, runs: Iterable["Coverage"]) -> "Coverage":
        """The coverage by several runs: a point is covered if one of them covers it."""
        points: dict[Point, Finding | None] = {}
        for run in runs:
            for point, found in run.points.items():
                points[point] = points.get(point, found) and found
        return cls(points)

    def _open(self, kind: str) -> list[Finding]:
        return [found for point, found in self.points.items() if found and point.kind == kind]

    @property
    def unreached(self) -> list[list[Point]]:
        """The operations that no run reached; consecutive ones are in one list."""
        points = sorted(point for point in self.points if point.kind == _OPERATION)
        groups = groupby(points, lambda point: self.points[point] is not None)
        return [list(group) for is_open, group in groups if is_open]

    def one_way(self, ops: Iterable[Operation]) -> Iterator[Operation]:
        """Those of some branches and guards that went one way only, or were not reached."""
        lines = {point[:3] for point, found in self.points.items() if found}
        return (op for op in ops if _point(_BRANCH, op)[:3] in lines)

    @property
    def findings(self) -> list[Finding]:
        """Remarks about what is not covered; operations that follow each other have one."""
        found: list[Finding] = []
        for points in self.unreached:
            message = f"{len(points)} operations are not run, up to line {points[-1].line}"
            first = self.points[points[0]]
            assert first is not None
            found.append(first if len(points) == 1 else first._replace(message=message))
        return [*found, *self._open(_BRANCH), *self._open(_BARRIER)]

    @property
    def summary(self) -> str:
        """Text: the numbers of operations and branches that are not covered; empty if there are
        none."""
        operations, branches = len(self._open(_OPERATION)), len(self._open(_BRANCH))
        parts = [
            f"{operations} operation{'s were' if operations > 1 else ' was'} not run",
            f"{branches} branch{'es' * (branches > 1)} went one way only",
        ]
        counts = operations, branches
        return " and ".join(part for part, count in zip(parts, counts, strict=True) if count)


_OPERATION, _BRANCH, _BARRIER = "operation", "branch", "barrier"


_UNTOLD = Finding("", 0, 0, "remark", "", "")


def coverage_of(
    program: Program, waits: Waits, source: Source | None, tells: bool = True
) -> Coverage:
    """The coverage of a kernel by a run that has ended; remarks are empty unless it `tells`."""
    points: dict[Point, Finding | None] = {}

    def add(point: Point, op: Operation, message: str, is_covered: bool) -> None:
        # Operations of one place are parts of one operation of the source.
        if is_covered:
            points[point] = None
        elif point not in points:
            found = remark(op, message, "", source, is_named=False) if tells else _UNTOLD
            points[point] = found

    reached = _reached(program)
    for block, may_be_left_out, operations in _operations(program):
        is_run = block in reached
        if not is_run and may_be_left_out:
            continue
        for op, parts, ways in operations:
            for part, point in parts:
                is_held = part is op or ways is None or ways.held
                add(point, part, "this operation is not run", is_run and is_held)
            if is_run and ways is not None:
                for what, is_gone, detail in _ways(op, ways):
                    add(_point(_BRANCH, op, detail), op, f"the condition is {what}", is_gone)
    for (op, name), is_awaited in waits.is_awaited.items():
        message = f"nothing waits for the last phase of {name}, which this operation ends"
        add(_point(_BARRIER, op, name), op, message, is_awaited)
    return Coverage(points)


_Operation: TypeAlias = tuple[Operation, Sequence[tuple[Operation, Point]], Ways | None]
"""An operation, with its point and those of the instructions that it guards, and its ways."""


@lru_cache(maxsize=2)
def _operations(program: Program) -> Sequence[tuple[Block, bool, Sequence[_Operation]]]:
    """The blocks of a program, whether each counts only if it is run, and their operations."""
    found: list[tuple[Block, bool, Sequence[_Operation]]] = []
    for block in program.blocks:
        operations: list[_Operation] = []
        for op in block.ops:
            inner = op.instructions if isinstance(op, GuardOp) else ()
            parts = [(each, _point(_OPERATION, each)) for each in (op, *inner)]
            operations.append((op, parts[: None if not traps(inner) else 1], program.ways.get(op)))
        found.append((block, traps(block.ops), operations))
    return found


def _ways(op: Operation, ways: Ways) -> Iterator[tuple[str, bool, str]]:
    """The ways of a branch or guard, except those to a trap: what to say of the condition if no
    thread went this way, whether one did, and a name of the way."""
    held, failed = ("never true", ways.held, "true"), ("always true", ways.failed, "false")
    if isinstance(op, CondBraOp):
        (then, _), (other, _) = op.targets()
        if not traps(then.ops):
            yield held
        if not traps(other.ops):
            yield failed
    elif isinstance(op, GuardOp):
        if not traps(op.body.block.ops):
            yield held
        yield failed


def _reached(program: Program) -> set[Block]:
    """The blocks that were run."""

    def step(block: Block) -> Sequence[Block]:
        last = block.last_op
        if isinstance(last, CondBraOp):
            (then, _), (other, _) = last.targets()
            ways = program.ways[last]
            return [then] * ways.held + [other] * ways.failed
        if isinstance(last, BrxOp):
            return [last.blocks[entry] for entry in program.ways[last].entries]
        return () if last is None else last.successors

    return closure([program.kernel.body.blocks[0]], step)


def _point(kind: str, op: Operation, detail: str = "") -> Point:
    location = text_place(op.location)
    if location is not None:
        return Point(kind, location.filename.data, location.line.data, location.column.data, detail)
    return Point(kind, "", 0, 0, f"{op.name} {detail}")


@dataclass(frozen=True)
class Report:
    """
    Result of a run: statistics and findings. A finding that ended the run comes before the
    warnings. `remarks` explain a result that is not as expected; they are not part of `findings`.
    """

    findings: tuple[Finding, ...]
    statistics: Statistics
    deadlock: tuple[Stuck, ...] = ()
    """What threads wait for if the error is a deadlock, the cause first."""
    remarks: tuple[Finding, ...] = ()
    """Possible causes of a wrong result, the likeliest first."""
    printed: str = ""
    """The text that the kernel has printed."""
    coverage: Coverage = field(default_factory=Coverage)
    """Coverage of the kernel by the run; empty after an error."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings without the warnings."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    def _repr_html_(self) -> str:
        """The findings, and the numbers of the run."""
        return f"{html_of([*self.findings, *self.remarks])}<pre>{self.statistics}</pre>"


@without_garbage_collection()
def simulate(
    module: ModuleOp | str | Source,
    arguments: "Arguments",
    launch: Launch | None = None,
    run: Run | None = None,
    *,
    target: str | None = None,
    ptx_version: str | None = None,
    expected: Mapping[int, npt.ArrayLike] | None = None,
    tolerance: float = 0,
) -> Report:
    """
    Run a kernel of a module, or of text of IR or PTX, on arrays that it reads and writes in place.

    `arguments` are in the order of the parameters, or a dict by their names. `expected` is the
    content that arguments, by their number, are expected to have after the run; `tolerance` is as
    in launch files. If they differ, the report has remarks.

    `target` and `ptx_version` are as for `compile_to_ptx`. The run continues after a warning and
    stops at the first error of the kernel; the report contains both. Raises CompileError for a
    module that does not compile, LaunchError for a launch that does not match the kernel, and
    TypeError for arguments of other types.
    """
    # Imported here, because verification has no arrays, and needs no ml_dtypes.
    from .binder import in_order
    from .expected import remarks_on

    check_type("module", module, (ModuleOp, str, Source), "a module, a Source, or a str of text")
    check_type("launch", launch, (Launch, NoneType), "a Launch, or None")
    check_type("run", run, (Run, NoneType), "a Run, or None")
    legal = "a dict with the number of each argument and its expected content, or None"
    check_type("expected", expected, (Mapping, NoneType), legal)
    launch, run = launch or Launch(), run or Run()
    integer(run.seed, "the seed", 0)
    integer(run.max_steps, "the largest number of steps", 1)
    for what, receiver in (("trace", run.trace), ("progress", run.progress)):
        if receiver is not None and not callable(receiver):
            raise refused(repr(receiver), "a function", what)
    warnings: list[CompileError] = []
    compiled = text_source(module) if isinstance(module, str) else module
    source = compiled if isinstance(compiled, Source) else None
    try:
        lowered = _lowered(compiled, target, ptx_version, warnings)
    except CompileError as error:
        found = [finding for each in (error, *warnings) for finding in each.findings]
        error.findings = tuple(as_errors(found) if run.strict else found)
        raise
    name = "<module>" if source is None else source.name
    with diagnosed(source):
        kernel = kernel_of(lowered, launch.kernel)
        program = Program(kernel, handlers_of(map(type, kernel.walk())))
        sizes, given = sizes_of(kernel, launch), in_order(kernel, arguments)
        runs = _Runs(program, sizes, given, run)
        machine, grid = runs.machine()
    findings = runs.errors(machine, grid, source)
    warnings += (
        operation_error(each, source)
        for each in machine.judge.warnings
        if not machine.judge.follows(each)
    )
    findings.extend(found for warning in warnings for found in warning.findings_in(name))
    findings = as_written(findings, source)
    is_unwritten = any(finding.rule == UNWRITTEN.id for finding in findings)
    passes = not has_errors(findings)
    remarks: list[Finding] = []
    if is_unwritten or (expected and passes):
        wanted = {} if is_unwritten else expected or {}
        remarks += as_written(remarks_on(machine, given, wanted, tolerance, source), source)
    return Report(
        tuple(as_errors(findings) if run.strict else findings),
        machine.statistics,
        tuple(machine.stuck),
        tuple(remarks),
        "".join(machine.printed),
        coverage_of(program, machine.waits, source) if passes else Coverage(),
    )


def _lowered(
    module: ModuleOp | Source,
    target: str | None,
    ptx_version: str | None,
    warnings: list[CompileError],
) -> ModuleOp:
    """A module lowered to `ptx`; adds its warnings. Raises CompileError."""
    if isinstance(module, Source):
        return read_kernels(module, target, ptx_version, warnings.extend).module
    verify(module)
    warnings.extend(warnings_of(module))
    lowered = module.clone()
    lower(lowered, make_context(), target, ptx_version)
    return lowered


class _Runs(NamedTuple):
    """Runs of a kernel with the same launch."""

    program: Program
    sizes: LaunchSizes
    arguments: "Sequence[Argument]"
    run: Run

    def machine(self, seed: int | None = None) -> tuple[Machine, Grid]:
        """A machine with the arguments or, with a seed, with other contents of the arrays."""
        from .binder import bind

        run = self.run
        machine = Machine(Schedule(run.schedule, run.seed), self.sizes, run.max_steps)
        if run.trace is not None and seed is None:
            machine.recorder = Recorder(run.trace)
            machine.judge = Traced(recorder=machine.recorder)
        bound = bind(machine, self.program.kernel, self.arguments)
        if seed is not None:
            change_contents(machine, seed)
        bits, addresses = ([*each] for each in zip(*bound, strict=True)) if bound else ([], [])
        return machine, Grid(machine, self.program, bits, addresses)

    def errors(self, machine: Machine, grid: Grid, source: Source | None) -> list[Finding]:
        """The error that ends the run, or that other contents of the arrays show. As findings: the
        traceback of an error would keep the machine alive."""
        progress, name = self.run.progress, "<module>" if source is None else source.name
        try:
            with closing(machine), diagnosed(source):
                grid.start()
                run_machine(machine, progress)
        except CompileError as error:
            return [*error.findings_in(name)]
        judge, kernel = machine.judge, self.program.kernel
        if not judge.shared:
            return []
        later = race_with_other_data(kernel, judge.shared, self.machine, progress)
        if later is None:
            return []
        judge.errors.append(later)
        return [*operation_error(later, source).findings_in(name)]


def kernel_of(module: ModuleOp, name: str | None) -> KernelOp:
    """The kernel with a name, or the only kernel. Raises LaunchError."""
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, KernelOp)}
    if not kernels:
        raise LaunchError("the module has no kernel")
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    if name in kernels:
        return kernels[name]
    if name is None:
        known, first = describe(tuple(kernels)), next(iter(kernels))
        message = f"the launch must name one of the kernels of the module: {known}"
        help = f'add kernel = "{first}" to the launch file, --kernel {first}, or Launch(kernel=...)'
        raise LaunchError(message, help=help)
    with blaming("kernel"):
        raise refused(name, tuple(kernels), "the name of the kernel")
