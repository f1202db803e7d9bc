"""The command `tcgen05-opt`."""

import sys

from .main import run_process, save_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .command import ArgumentParser


def main(arguments: "Sequence[str] | None" = None, program: str = "tcgen05-opt") -> int:
    """
    Run the command; returns the exit status.

    `arguments` defaults to those of the process; the command then controls the whole process.
    """
    if arguments is None:
        return run_process(lambda: _run_alone(program))
    return _run(arguments, program)


def _run_alone(program: str) -> int:
    save_time()
    return _run(sys.argv[1:], program)


def parser(program: str) -> "ArgumentParser":
    """The parser of the arguments."""
    from .pass_driver import PassDriver

    return PassDriver(program, ()).parser


def _run(arguments: "Sequence[str]", program: str) -> int:
    from .pass_driver import run_passes

    return run_passes(arguments, program)


if __name__ == "__main__":
    sys.exit(main())
