"""Command `tcgen05 host`: prints a host program that launches a kernel."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from .command import ArgumentParser, refuse_target, refuse_without_emulator, run, translation
from .files import CommandError, complain, read_source, refuse_overwriting, write_output
from .sim import add_kernel, blamed, launches


def main(arguments: Sequence[str], program: str) -> int:
    """Print a host program; returns the exit status."""
    return run(program, lambda: _run(parser(program).parse_args(arguments)))


def parser(program: str) -> ArgumentParser:
    """Parser of the arguments."""
    host = ArgumentParser(
        prog=program,
        description="Prints a host program that launches a kernel as its launch file says, through "
        "the CUDA driver: memory, tensor maps, attributes, launch, and the check of the result.",
    )
    add_kernel(host)
    host.add_argument(
        "--language", choices=("c++", "python"), default="c++", help="(default: %(default)s)"
    )
    host.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
    )
    host.add_argument(
        "--data",
        metavar="FOLDER",
        help="also write what the program reads: the PTX, arrays and expected results",
    )
    return host


def _run(options: Namespace) -> int:
    refuse_without_emulator()
    from ..host.languages import LANGUAGES
    from ..host.launcher import Kernel, compiled
    from ..host.program import HostProgram
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
