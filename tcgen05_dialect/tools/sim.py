"""
Command `tcgen05 sim`: runs a kernel in the emulator, shows its progress, and reports its errors.

The file of the option `--timeline`.
"""

import json
import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..isa.model.rule import plural, printable
from ..reporting.diagnostics import CompileError, Finding, Source, diagnosed, has_errors
from .command import refuse_target, refuse_without_emulator, translation
from .files import (
    CommandError,
    ProgressLine,
    complain,
    is_ptx,
    read_source,
    refuse_overwriting,
    write_output,
)
from .launch_options import (
    argument_names,
    extents_of,
    launch_changes,
    launch_path,
    launch_sizes,
    option_of,
    verified_module,
)


def run_sim(options: Namespace) -> int:
    """Run a kernel; returns the exit status, 0 for a correct kernel."""
    if options.timeline is None:
        return run_kernel(options, partial(_run_once, None))
    file = _TimelineFile(options)
    status = run_kernel(options, partial(_run_once, file), options.timeline != "-")
    if status in (0, 1):
        file.write()
    return status


if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..simulator import Report
    from ..simulator.launch.expected import Difference, PreparedLaunch
    from ..simulator.launch.launch import Coverage
    from ..simulator.machine.errors import LaunchError
    from ..simulator.machine.trace import Event


def run_kernel(
    options: Namespace,
    run_once: "RunOnce",
    shows: bool = True,
    module_of: "Callable[[Source], ModuleOp] | None" = None,
) -> int:
    """
    Run the kernel once for each launch of its launch file, as changed by the options. Without
    `shows`, print no result. For `module_of`, see `launches`.

    Returns the exit status: 0 if there is no error and the result is as expected, 1 otherwise, and
    2 for an invalid launch. Raises CommandError, and CompileError for a kernel that cannot be
    compiled.
    """
    refuse_without_emulator()
    from ..simulator.machine.errors import LaunchError

    _check_numbers(options)
    refuse_target(options.target, options.ptx_version)
    source = read_source(options.file, translation(options))
    outcomes: list[Outcome] = []
    invalid = False
    try:
        is_ptx(source)
        for name, launch in launches(options, source, module_of or verified_module):
            outcome = run_once(options, source, name, launch)
            outcomes.append(outcome)
            if options.format == "text" and shows:
                write_output(None, outcome.text())
    except LaunchError as error:
        invalid = True
        error = blamed(error, options)
        if options.format == "text":
            if not error.findings[0].file:
                raise CommandError(error.message) from error
            complain(str(error))
        outcomes.append(Outcome("", error.findings, (), (), None))
    except CompileError as error:
        if options.format == "text":
            raise
        outcomes.append(Outcome("", [*error.findings_in(source.name)], (), (), None))
    if not shows:
        pass
    elif options.format == "json":
        record: dict[str, Any] = {"launches": [outcome.record() for outcome in outcomes]}
        if options.coverage:
            record["coverage"] = [remark._asdict() for remark in _uncovered(outcomes)]
        write_output(None, f"{json.dumps(record, indent=2)}\n".encode())
    else:
        lines = _coverage_text(outcomes, options.coverage)
        write_output(None, "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace"))
    return 2 if invalid else int(any(outcome.fails for outcome in outcomes))


class Outcome(NamedTuple):
    """Result of a launch; a kernel that did not run has no report."""

    name: str
    findings: Sequence[Finding]
    differences: Sequence["Difference"]
    expected: Sequence[str]
    report: "Report | None"
    milliseconds: float | None = None
    """The time of the kernel on a device."""
    is_emulated: bool = False
    """Whether the device is the emulated one."""

    @property
    def fails(self) -> bool:
        return has_errors(self.findings) or bool(self.differences)

    @property
    def remarks(self) -> Sequence[Finding]:
        """What may explain the differences."""
        return () if self.report is None else self.report.remarks

    def text(self) -> bytes:
        """The result for people."""
        lines = [f"launch {printable(self.name)}"] if self.name else []
        if self.report is not None and self.report.printed:
            lines += map(printable, self.report.printed.splitlines())
        results = [*_shown(self.findings), *map(str, (*self.differences, *self.remarks))]
        if not self.fails:
            compared = f"as expected: {', '.join(self.expected)}"
            results.append(compared if self.expected else "no error; the launch expects no values")
        lines += results
        lines += [] if self.report is None else [str(self.report.statistics)]
        if self.milliseconds is not None:
            of = " on the emulated driver, not on a GPU" if self.is_emulated else ""
            lines.append(f"time {self.milliseconds:.3f} ms{of}")
        return "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")

    def record(self) -> dict[str, Any]:
        """The result for other programs; names and statistics that are missing are null."""
        report = self.report
        timed: dict[str, Any] = {}
        if self.milliseconds is not None:
            timed = {"milliseconds": self.milliseconds, "emulated": self.is_emulated}
        return {
            "launch": self.name or None,
            "findings": [finding._asdict() for finding in self.findings],
            "differences": [difference._asdict() for difference in self.differences],
            "deadlock": [] if report is None else [each.as_json() for each in report.deadlock],
            "printed": "" if report is None else report.printed,
            "remarks": [remark._asdict() for remark in self.remarks],
            "statistics": None if report is None else vars(report.statistics),
            **timed,
        }


RunOnce: TypeAlias = Callable[[Namespace, Source, str, "PreparedLaunch"], Outcome]
"""Runs a launch with a name; the kernels are those of a source."""


def _shown(findings: Sequence[Finding]) -> Iterator[str]:
    """The text of findings; of many warnings about the same step, the first ones."""
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.rule] += 1
        if finding.severity != "warning" or counts[finding.rule] <= _MOST_WARNINGS:
            yield str(finding)
    warned = {each.rule: each for each in findings if each.severity == "warning"}
    for rule, last in warned.items():
        left_out = counts[rule] - _MOST_WARNINGS
        if left_out > 0:
            message = (
                f"{left_out} more {plural('line', left_out)} like this; --format json lists them"
            )
            yield f"{last.file}: warning[{rule}]: {message}"


_MOST_WARNINGS = 3


def _coverage(outcomes: Sequence[Outcome]) -> "Coverage | None":
    """The coverage by all launches; None if one of them has an error."""
    from ..simulator.launch.launch import Coverage

    reports = [outcome.report for outcome in outcomes if not has_errors(outcome.findings)]
    if not reports or len(reports) < len(outcomes):
        return None
    return Coverage.of_all(report.coverage for report in reports if report is not None)


def _uncovered(outcomes: Sequence[Outcome]) -> Sequence[Finding]:
    coverage = _coverage(outcomes)
    return () if coverage is None else coverage.findings


def _coverage_text(outcomes: Sequence[Outcome], is_listed: bool) -> Iterator[str]:
    """Lines about what no launch reaches: a list, or one line that says how to get it."""
    coverage = _coverage(outcomes)
    if coverage is None:
        return
    if is_listed:
        yield from map(str, coverage.findings)
        yield coverage.summary or "all operations were run, and all branches went both ways"
    elif coverage.summary:
        yield f"{coverage.summary}; --coverage lists them"


def blamed(error: "LaunchError", options: Namespace) -> "LaunchError":
    """The error of an illegal launch; it names the option that is wrong, or else the key of the
    launch file, if there is one. Without a launch file, the error of a missing argument says how
    to make one."""
    from ..simulator.launch.tables import at_its_key

    option, path = option_of(options, error.culprits), launch_path(options)
    if option is not None:
        return error.about("", f"{option}: ")
    if path is not None:
        return at_its_key(error, path)
    from ..simulator.machine.errors import LaunchError

    template = f"tcgen05 launch-file {options.file} prints a template of a launch file"
    return LaunchError(f"{error.message}; {template}") if error.culprits == ("args",) else error


def launches(
    options: Namespace, source: Source, module_of: "Callable[[Source], ModuleOp]"
) -> Iterator[tuple[str, "PreparedLaunch"]]:
    """The launches, each with its name; the name of a single one is empty. `module_of` gives the
    module of the text, with the kernel."""
    from ..simulator.launch.binder import is_used, names_of
    from ..simulator.launch.launch import kernel_of
    from ..simulator.launch.launch_file import Parameter, read_launches

    def parameters(name: str | None) -> Sequence[Parameter]:
        with diagnosed(source):
            kernel = kernel_of(module_of(source), name)
        names, values = names_of(kernel), kernel.body.blocks[0].args
        return [Parameter(name, is_used(value)) for name, value in zip(names, values, strict=True)]

    return read_launches(
        launch_path(options),
        launch_changes(options),
        launch_sizes(options),
        options.seed,
        parameters,
        argument_names(options),
        options.only,
    )


def _run_once(
    file: "_TimelineFile | None",
    options: Namespace,
    source: Source,
    name: str,
    launch: "PreparedLaunch",
) -> Outcome:
    from ..simulator import Run, simulate
    from ..simulator.launch.reference import origins
    from ..simulator.machine.errors import LaunchError

    receivers: list[Callable[[Event], None]] = [_complain_of] if options.trace else []
    if file is not None and file.begins(name):
        receivers.append(file.timeline.add)

    def trace(event: "Event") -> None:
        for receive in receivers:
            receive(event)

    with ProgressLine(sys.stderr) as line:

        def progress(steps: int, pending: int) -> None:
            line.update(f"{steps} instructions, {pending} operations pending")

        run = Run(
            options.schedule,
            options.seed,
            options.max_steps,
            options.strict,
            trace=trace if receivers else None,
            progress=None if options.trace else progress,
        )
        try:
            report = simulate(
                source,
                launch.arguments,
                launch.launch,
                run,
                target=options.target,
                ptx_version=options.ptx_version,
                expected=launch.expected_arguments(),
                tolerance=launch.tolerance,
            )
        except LaunchError as error:
            error.culprits = origins(error.culprits, launch.uses)
            raise error.in_launch(name) from error
    if file is not None:
        file.ends(name, report, source, launch.launch.kernel)
    differences = [] if has_errors(report.findings) else launch.differences()
    findings = [_doubted(each, launch.guessed) for each in report.findings]
    findings += _grid_remarks(source, launch)
    return Outcome(name, findings, differences, [*launch.expected], report)


class _TimelineFile:
    """The timeline of the first launch, and the file for it that the options name. Raises
    CommandError for a file that it cannot write."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._path: str = options.timeline
        self._launches: list[str] = []
        suffix = os.path.splitext(self._path)[1]
        if self._path != "-" and suffix not in (".html", ".json"):
            legal = "- or a file with the suffix .html or .json"
            raise CommandError(f"--timeline must be {legal}; found {self._path}")
        refuse_overwriting(options.file, self._path)
        from ..views.timeline import Timeline

        self._suffix = suffix
        self.timeline = Timeline(extents_of(options, "timeline_cta") or ())

    def begins(self, launch: str) -> bool:
        """Begin a launch; returns whether the timeline shows it."""
        self._launches.append(launch)
        return len(self._launches) == 1

    def ends(self, launch: str, report: "Report", source: Source, kernel: str | None) -> None:
        """Take the report of a launch that has run."""
        if launch != self._launches[0] or len(self._launches) > 1:
            return
        from ..simulator.machine.errors import LaunchError

        timeline = self.timeline
        timeline.title = f"{os.path.basename(source.name)} {launch}".strip()
        options = self._options
        seed = f", seed {options.seed}" if options.schedule == "random" else ""
        timeline.about = [f"schedule {options.schedule}{seed}"]
        try:
            timeline.close(report, source, kernel)
        except LaunchError as error:
            raise CommandError(f"--timeline-cta: {error.message}") from None

    def write(self) -> None:
        """Write the file."""
        if others := len(self._launches) - 1:
            self.timeline.left_out.append(f"{others} other {plural('launch', others)}")
        made = self.timeline.html() if self._suffix == ".html" else self.timeline.json()
        write_output(self._path, made.encode())


def _complain_of(event: "Event") -> None:
    """Print the line of an event."""
    if line := str(event):
        complain(line)


def _grid_remarks(source: Source, launch: "PreparedLaunch") -> Iterator[Finding]:
    """The remark on a grid that does not fit the tiles of a kernel with roles."""
    if is_ptx(source) or "ws.warp_specialize" not in source.text:
        return
    from ..proposal.launch_facts import grid_line, grid_mismatch
    from .launch_options import read_facts

    facts = read_facts(source, launch.launch.kernel)
    if message := grid_mismatch(facts, launch):
        help_ = f"give the launch file {grid_line(facts)}, or use the option --grid"
        yield Finding(source.name, 0, 0, "remark", "", message, help=help_)


def _doubted(finding: Finding, guessed: Sequence[str]) -> Finding:
    """A finding of a run; if the launch has guesses, the help for an error names them first."""
    if not guessed or finding.severity != "error":
        return finding
    names = ", ".join(map(printable, guessed))
    those = "this guess" if len(guessed) == 1 else "these guesses"
    help = f"fill in {those} of the launch file, which may be the cause: {names}"
    return finding._replace(help=f"{help}; otherwise {finding.help}" if finding.help else help)


def _check_numbers(options: Namespace) -> None:
    for option, value, least in (
        ("--seed", options.seed, 0),
        ("--max-steps", options.max_steps, 1),
    ):
        if value < least:
            raise CommandError(f"{option} must be a number of {least} or more; found {value}")
