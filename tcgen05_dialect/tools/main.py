"""The command `tcgen05`."""

import sys

from .process import run_process, save_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: "Sequence[str] | None" = None) -> int:
    """
    Run the command; returns the exit status.

    `arguments` defaults to those of the process; the command then controls the whole process.
    """
    if arguments is None:
        return run_process(_run_kept)
    return _run(arguments)


def _run_kept() -> int:
    from .kept_results import run_kept

    return run_kept(sys.argv[1:], _run_alone, _write)


def _run_alone() -> int:
    # run-host imports nothing of xDSL.
    if sys.argv[1:2] != ["run-host"]:
        save_time()
    return _run(sys.argv[1:])


def _write(stream: str, path: str | None, data: bytes) -> bool:
    """Write a piece of a kept result; returns whether it could be written."""
    from .files import CommandError, complain, write_output

    try:
        if stream == "err":
            complain(data.decode(errors="surrogateescape"))
        else:
            write_output(path, data)
    except (CommandError, BrokenPipeError):
        return False
    return True


def _run(arguments: "Sequence[str]") -> int:
    from .commands import run_command

    return run_command(arguments)


if __name__ == "__main__":
    sys.exit(main())
