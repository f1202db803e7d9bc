"""Entry point of the emulator: `simulate` compiles, launches and runs a kernel."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from types import NoneType

import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp

from ...compiler import (
    as_written,
    lower,
    make_context,
    read_kernels,
    verify,
    warnings_of,
    without_garbage_collection,
)
from ...isa.model.rule import describe
from ...isa.simulation import UNWRITTEN
from ...language import text_source
from ...ptx.kernel import KernelOp
from ...reporting.arguments import check_type
from ...reporting.diagnostics import CompileError, Source, diagnosed, operation_error
from ...reporting.findings import Finding, as_errors, has_errors
from ..instructions import handlers_of
from ..machine.errors import LaunchError, blaming, refused
from ..machine.machine import Machine
from ..machine.program import Program
from ..machine.run import run_machine
from ..machine.schedule import Schedule
from ..machine.statistics import Statistics
from ..machine.stuck import Stuck
from ..settings import Launch, Run
from .arguments import Arguments, bind, in_order
from .coverage import Coverage, coverage_of
from .explanation import remarks_on
from .grid import Grid
from .other_data import change_contents, race_with_other_data
from .sizes import integer, sizes_of


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


@without_garbage_collection()
def simulate(
    module: ModuleOp | str | Source,
    arguments: Arguments,
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
    check_type("module", module, (ModuleOp, str, Source), "a module, a Source, or a str of text")
    check_type("launch", launch, (Launch, NoneType), "a Launch, or None")
    check_type("run", run, (Run, NoneType), "a Run, or None")
    legal = "a dict with the number of each argument and its expected content, or None"
    check_type("expected", expected, (Mapping, NoneType), legal)
    launch, run = launch or Launch(), run or Run()
    _check_run(run)
    warnings: list[CompileError] = []
    try:
        if isinstance(module, ModuleOp):
            source = None
            verify(module)
            warnings.extend(warnings_of(module))
            lowered = module.clone()
            lower(lowered, make_context(), target, ptx_version)
        else:
            source = module if isinstance(module, Source) else text_source(module)
            lowered = read_kernels(source, target, ptx_version, warnings.extend).module
    except CompileError as error:
        found = [finding for each in (error, *warnings) for finding in each.findings]
        error.findings = tuple(as_errors(found) if run.strict else found)
        raise
    name = "<module>" if source is None else source.name
    with diagnosed(source):
        kernel = kernel_of(lowered, launch.kernel)
        program = Program(kernel, handlers_of(map(type, kernel.walk())))
        sizes, given = sizes_of(kernel, launch), in_order(kernel, arguments)

        def machine_with(seed: int | None) -> tuple[Machine, Grid]:
            """A machine with the arguments, or with other contents of the arrays."""
            schedule = Schedule(run.schedule, run.seed)
            trace = run.trace if seed is None else None
            machine = Machine(schedule, sizes, run.max_steps, trace=trace)
            bound = bind(machine, kernel, given)
            if seed is not None:
                change_contents(machine, seed)
            bits, addresses = ([*each] for each in zip(*bound, strict=True)) if bound else ([], [])
            return machine, Grid(machine, program, bits, addresses)

        machine, grid = machine_with(None)
    findings: list[Finding] = []
    try:
        with closing(machine), diagnosed(source):
            grid.start()
            run_machine(machine, run.progress)
    except CompileError as error:
        findings.extend(error.findings_in(name))
    found_later = None
    if not findings and machine.judge.shared:
        found_later = race_with_other_data(kernel, machine.judge.shared, machine_with)
    if found_later is not None:
        machine.judge.errors.append(found_later)
        findings.extend(operation_error(found_later, source).findings_in(name))
    warnings += (
        operation_error(each, source)
        for each in machine.judge.warnings
        if not machine.judge.follows(each)
    )
    findings.extend(each for warning in warnings for each in warning.findings_in(name))
    findings = as_written(findings, source)
    found = tuple(as_errors(findings) if run.strict else findings)
    remarks: list[Finding] = []
    is_unwritten = any(finding.rule == UNWRITTEN.id for finding in findings)
    if is_unwritten or (expected and not has_errors(findings)):
        wanted = {} if is_unwritten else expected or {}
        remarks += as_written(remarks_on(machine, given, wanted, tolerance, source), source)
    covered = Coverage()
    if not has_errors(findings):
        covered = coverage_of(program, machine.waits, source)
    printed = "".join(machine.printed)
    return Report(found, machine.statistics, tuple(machine.stuck), tuple(remarks), printed, covered)


def _check_run(run: Run) -> None:
    """Raise LaunchError for options with illegal values."""
    integer(run.seed, "the seed", 0)
    integer(run.max_steps, "the largest number of steps", 1)
    for what, receiver in (("trace", run.trace), ("progress", run.progress)):
        if receiver is not None and not callable(receiver):
            raise refused(repr(receiver), "a function", what)


def kernel_of(module: ModuleOp, name: str | None) -> KernelOp:
    """The kernel with a name, or the only kernel. Raises LaunchError."""
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, KernelOp)}
    if not kernels:
        raise LaunchError("the module has no kernel")
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    for kernel_name, kernel in kernels.items():
        if kernel_name == name:
            return kernel
    if name is None:
        known, first = describe(tuple(kernels)), next(iter(kernels))
        message = f"the launch must name one of the kernels of the module: {known}"
        help = f'add kernel = "{first}" to the launch file, --kernel {first}, or Launch(kernel=...)'
        raise LaunchError(message, help=help)
    with blaming("kernel"):
        raise refused(name, tuple(kernels), "the name of the kernel")
