"""Commands `tcgen05 launch`, which runs a kernel on a GPU, and `tcgen05 host`, which prints a host
program that does."""

from argparse import Namespace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..reporting.diagnostics import Finding, Source
from ..simulator import MAX_STEPS
from .command import refuse_target, refuse_without_emulator, translation
from .files import (
    CommandError,
    complain,
    read_source,
    refuse_overwriting,
    refuse_unreadable,
    write_output,
)
from .sim import Outcome, blamed, launches, run_kernel

if TYPE_CHECKING:
    from ..simulator.launch.expected import PreparedLaunch


def run_launch(options: Namespace) -> int:
    """Launch a kernel; returns the exit status, 0 for a correct result."""
    options.coverage, options.max_steps = False, MAX_STEPS
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


def run_host(options: Namespace) -> int:
    """Print a host program; returns the exit status."""
    refuse_without_emulator()
    from ..host.host_program import LANGUAGES, HostProgram
    from ..host.launcher import Kernel, compiled
    from ..simulator.machine.errors import LaunchError

    refuse_target(options.target, options.ptx_version)
    refuse_overwriting(options.file, options.output)
    source = read_source(options.file, translation(options))
    try:
        program = compiled(source, options.target, options.ptx_version)
        found = [*launches(options, source, lambda _: program.module)]
        if len(found) > 1:
            names = ", ".join(name for name, _ in found)
            raise CommandError(f"a host program has one launch: name one with --only: {names}")
        launch = found[0][1]
        kernel = Kernel(program, launch.launch.kernel)
        host = HostProgram(kernel, launch, source.name, LANGUAGES[options.language])
    except LaunchError as error:
        error = blamed(error, options)
        if not error.findings[0].file:
            raise CommandError(error.message) from error
        complain(str(error))
        return 2
    if options.data is not None:
        folder = Path(options.data)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"cannot make {folder}: {error.strerror}") from error
        for name, content in host.files():
            write_output(str(folder / name), content)
    write_output(options.output, host.text().encode())
    return 0
