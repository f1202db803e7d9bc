"""`tcgen05 sim`: run a kernel on the CPU, and say what it does wrong."""

import sys
from argparse import Namespace
from pathlib import Path

from ..diagnostics import CompileError, diagnosed
from ..findings import as_text
from .command import read_source, write_output


def sim(options: Namespace) -> int:
    """
    Run the kernel as its launch file says; returns the exit status: 0 if there is no finding and
    the result is as expected. Raises CompileError.
    """
    try:
        from ..simulator.launch import simulate
        from ..simulator.launch_file import read_launch_file
    except ModuleNotFoundError as error:
        raise CompileError(f"{error.name} is missing: install tcgen05-dialect[sim]") from error
    source = read_source(options.file)
    path = Path(options.launch or Path(options.file).with_suffix(".toml"))
    with diagnosed():
        launch = read_launch_file(path, _sizes(options.size), options.seed)
        report = simulate(
            source,
            launch.args,
            grid=launch.grid,
            block=launch.block,
            cluster=launch.cluster,
            dynamic_shared_memory=launch.dynamic_shared_memory,
            kernel=launch.kernel,
            schedule=options.schedule,
            seed=options.seed,
            max_steps=options.max_steps,
            trace=_print if options.trace else None,
            target=options.target,
            ptx_version=options.ptx_version,
        )
    differences = [] if report.findings else launch.differences()
    lines = as_text(report.findings) + "".join(f"{line}\n" for line in differences)
    if not lines:
        checked = ", ".join(launch.expected)
        lines = f"as expected: {checked}\n" if checked else "no finding\n"
    write_output(None, f"{lines}{report.statistics}\n".encode(errors="backslashreplace"))
    return int(bool(report.findings or differences))


def _print(line: str) -> None:
    print(line, file=sys.stderr)


def _sizes(given: list[str]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals and value.isdecimal()):
            raise CompileError(f"--size: found {text!r}; legal: NAME=NUMBER, such as m=256")
        sizes[name] = int(value)
    return sizes
