"""The command `tcgen05`."""

import sys

from .process import run_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: "Sequence[str] | None" = None) -> int:
    """
    Run the command; returns the exit status.

    `arguments` defaults to those of the process; the command then controls the whole process.
    """
    if arguments is None:
        return run_process(lambda: _run(sys.argv[1:]))
    return _run(arguments)


def _run(arguments: "Sequence[str]") -> int:
    from .commands import run_command

    return run_command(arguments)


if __name__ == "__main__":
    sys.exit(main())
