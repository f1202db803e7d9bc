"""One run of a kernel in the emulator, with the options of `tcgen05 sim`."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from ..check import refuse_ptx
from ..compiler import parse, verify
from ..reporting.diagnostics import CompileError, Source, diagnosed
from ..reporting.findings import Finding, has_errors
from ..reporting.formats import plain_text
from .command import refuse_target
from .files import CommandError, complain, read_source, write_output
from .launch_options import (
    argument_names,
    launch_changes,
    launch_path,
    launch_sizes,
    option_of,
)
from .progress import ProgressLine

if TYPE_CHECKING:
    from ..simulator import Report
    from ..simulator.launch.comparison import Difference
    from ..simulator.launch.launch_reader import PreparedLaunch
    from ..simulator.machine.errors import LaunchError


def run_kernel(options: Namespace) -> int:
    """
    Run the kernel with its launch file and the options.

    Returns the exit status: 0 if there is no error and the result is as expected, 1 otherwise, and
    2 for an invalid launch. Raises CommandError, and CompileError for a kernel that cannot be
    compiled.
    """
    try:
        import_module("..simulator.launch.launch_file", __package__)
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is missing: install tcgen05-dialect[sim]") from error
    from ..simulator.machine.errors import LaunchError

    _check_numbers(options)
    refuse_target(options.target, options.ptx_version)
    source = read_source(options.file)
    try:
        refuse_ptx(source)
        launch = _read_launch(options, source)
        report = _simulate(options, source, launch)
    except LaunchError as error:
        return _complain_of_launch(error, options)
    except CompileError as error:
        if options.format == "text":
            raise
        write_output(None, _json([*error.findings_in(source.name)], (), None))
        return 1
    fails = has_errors(report.findings)
    differences = [] if fails else launch.differences()
    if options.format == "json":
        write_output(None, _json(report.findings, differences, report))
    else:
        write_output(None, _text(report, launch, differences))
    return int(fails or bool(differences))


def _complain_of_launch(error: "LaunchError", options: Namespace) -> int:
    """
    Print the message of an illegal launch; returns the exit status.

    The message names the option that is wrong, or else the launch file. Raises CommandError if
    neither is wrong.
    """
    option, path = option_of(options, error.parts), launch_path(options)
    if option is not None or path is None:
        error = error.about("", "" if option is None else f"{option}: ")
        raise CommandError(error.message) from error
    complain(str(error.about(str(path))))
    return 2


def _read_launch(options: Namespace, source: Source) -> "PreparedLaunch":
    from ..simulator.launch.launch import kernel_of
    from ..simulator.launch.launch_file import read_launch_file

    def parameters(kernel: str | None) -> Sequence[str]:
        with diagnosed(source):
            module, _ = parse(source)
            verify(module, source)
            block = kernel_of(module, kernel).body.blocks[0]
        return [value.name_hint or str(index) for index, value in enumerate(block.args)]

    return read_launch_file(
        launch_path(options),
        launch_changes(options),
        launch_sizes(options),
        options.seed,
        parameters,
        argument_names(options),
    )


def _simulate(options: Namespace, source: Source, launch: "PreparedLaunch") -> "Report":
    from ..simulator import Run, simulate
    from ..simulator.launch.launch_reader import origins
    from ..simulator.machine.errors import LaunchError

    with ProgressLine(sys.stderr) as line:
        run = Run(
            options.schedule,
            options.seed,
            options.max_steps,
            options.strict,
            trace=complain if options.trace else None,
            progress=None if options.trace else line.update,
        )
        try:
            return simulate(
                source,
                launch.arguments,
                launch.launch,
                run,
                target=options.target,
                ptx_version=options.ptx_version,
            )
        except LaunchError as error:
            error.parts = origins(error.parts, launch.uses)
            raise


def _text(report: "Report", launch: "PreparedLaunch", differences: Sequence["Difference"]) -> bytes:
    lines = plain_text.render(report.findings) + "".join(f"{each}\n" for each in differences)
    checked = ", ".join(launch.expected)
    if checked and not differences and not has_errors(report.findings):
        lines += f"as expected: {checked}\n"
    lines = lines or "no finding\n"
    return f"{lines}{report.statistics}\n".encode(errors="backslashreplace")


def _json(
    findings: Sequence[Finding], differences: Sequence["Difference"], report: "Report | None"
) -> bytes:
    """The result of a run as a JSON object; `statistics` is null for a kernel that did not run."""
    outcome = {
        "findings": [finding._asdict() for finding in findings],
        "differences": [difference._asdict() for difference in differences],
        "statistics": None if report is None else vars(report.statistics),
    }
    return f"{json.dumps(outcome, indent=2)}\n".encode()


def _check_numbers(options: Namespace) -> None:
    for option, value, least in (
        ("--seed", options.seed, 0),
        ("--max-steps", options.max_steps, 1),
    ):
        if value < least:
            raise CommandError(f"{option} must be a number of {least} or more; found {value}")
