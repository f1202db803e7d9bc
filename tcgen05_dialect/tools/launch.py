"""Command `tcgen05 launch`: runs a kernel on a GPU, with the launch file of `tcgen05 sim`."""

from argparse import Namespace
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..reporting.diagnostics import Finding, Source
from ..simulator.settings import MAX_STEPS
from .command import ArgumentParser, refuse_without_emulator, run
from .files import CommandError, refuse_unreadable
from .sim import Outcome, add_format, add_kernel, run_kernel

if TYPE_CHECKING:
    from ..simulator.launch.expected import PreparedLaunch


def main(arguments: Sequence[str], program: str) -> int:
    """Launch a kernel; returns the exit status, 0 for a correct result."""
    return run(program, lambda: _run(parser(program).parse_args(arguments)))


def parser(program: str) -> ArgumentParser:
    """Parser of the arguments."""
    launch = ArgumentParser(
        prog=program,
        description="Runs a kernel on a GPU, through the CUDA driver, and compares its result with "
        "the expected one. The launch file is that of sim.",
    )
    add_kernel(launch)
    add_format(launch)
    launch.set_defaults(coverage=False, max_steps=MAX_STEPS)
    return launch


def _run(options: Namespace) -> int:
    refuse_without_emulator()
    refuse_unreadable(options.file)
    from ..driver.process import emulate_here
    from ..host.launcher import Compiled, CudaError, Kernel, NoDeviceError, compiled, cuda_driver
    from ..simulator.launch.reference import origins
    from ..simulator.machine.errors import LaunchError

    printed = emulate_here()
    try:
        cuda_driver()
    except NoDeviceError as error:
        offer = f"`tcgen05 run-host tcgen05 launch {options.file}` needs none"
        raise CommandError(f"{error}; {offer}") from error

    @cache
    def program(source: Source) -> Compiled:
        # As in sim, the run finds illegal operands.
        found = compiled(
            source, options.target, options.ptx_version, checks_operands=printed is None
        )
        if printed is not None:
            printed[found.ptx] = found.module, source
        return found

    @cache
    def kernel(source: Source, name: str | None) -> Kernel:
        return Kernel(program(source), name)

    def run_once(
        options: Namespace, source: Source, name: str, launch: "PreparedLaunch"
    ) -> Outcome:
        milliseconds, is_emulated = None, printed is not None
        findings: list[Finding] = []
        try:
            called = kernel(source, launch.launch.kernel)
            milliseconds = called.launch(launch.arguments, launch.launch, timed=True)
        except LaunchError as error:
            error.culprits = origins(error.culprits, launch.uses)
            raise error.in_launch(name) from error
        except CudaError as error:
            # The emulator has named the line.
            sim = f"`tcgen05 sim {options.file}` names the line of an error of the kernel"
            help = "" if is_emulated else sim
            findings.append(Finding(source.name, 0, 0, "error", "", str(error), help=help))
        differences = [] if findings else launch.differences()
        expected = [*launch.expected]
        return Outcome(name, findings, differences, expected, None, milliseconds, is_emulated)

    return run_kernel(options, run_once, module_of=lambda source: program(source).module)
