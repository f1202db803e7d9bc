"""One run of a kernel in the emulator, as the options of `tcgen05 sim` say."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from ..check import refuse_ptx
from ..compiler import parse, verify
from ..reporting.diagnostics import CompileError, diagnosed
from ..reporting.formats import plain_text
from .files import read_source, write_output
from .launch_options import argument_names, launch_changes, launch_path, launch_sizes
from .progress import ProgressLine


def run_kernel(options: Namespace) -> int:
    """
    Run the kernel as its launch file and the options say. Returns the exit status: 0 if there is
    no finding and the result is as expected. Raises CompileError.
    """
    try:
        from ..simulator.launch.launch import kernel_of, simulate
        from ..simulator.launch.launch_file import read_launch_file
        from ..simulator.launch.settings import Run
    except ModuleNotFoundError as error:
        raise CompileError(f"{error.name} is missing: install tcgen05-dialect[sim]") from error
    source = read_source(options.file)
    refuse_ptx(source)
    _check_numbers(options)

    def parameters(kernel: str | None) -> Sequence[str]:
        with diagnosed(source):
            module, _ = parse(source)
            verify(module, source)
            block = kernel_of(module, kernel).body.blocks[0]
        return [value.name_hint or str(index) for index, value in enumerate(block.args)]

    with diagnosed():
        found = read_launch_file(
            launch_path(options),
            launch_changes(options),
            launch_sizes(options),
            options.seed,
            parameters,
            argument_names(options),
        )
        with ProgressLine(sys.stderr) as line:
            run = Run(
                options.schedule,
                options.seed,
                options.max_steps,
                trace=_print if options.trace else None,
                progress=None if options.trace else line.update,
            )
            report = simulate(
                source,
                found.arguments,
                found.launch,
                run,
                target=options.target,
                ptx_version=options.ptx_version,
            )
    differences = [] if report.findings else found.differences()
    lines = plain_text.render(report.findings) + "".join(f"{line}\n" for line in differences)
    if not lines:
        checked = ", ".join(found.expected)
        lines = f"as expected: {checked}\n" if checked else "no finding\n"
    write_output(None, f"{lines}{report.statistics}\n".encode(errors="backslashreplace"))
    return int(bool(report.findings or differences))


def _print(line: str) -> None:
    print(line, file=sys.stderr)


def _check_numbers(options: Namespace) -> None:
    """Raise CompileError unless the numbers can be used."""
    for option, value, least in (
        ("--seed", options.seed, 0),
        ("--max-steps", options.max_steps, 1),
    ):
        if value < least:
            raise CompileError(f"{option}: found {value}; legal: a number of {least} or more")
