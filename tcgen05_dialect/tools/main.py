"""
The command `tcgen05`, and the frame of a process that runs a command: it handles closed streams,
and Ctrl-C at any time, and ends the process fast.

The modules of the entry points import nothing else at the top, not even `typing`. Even during
imports, Ctrl-C thus ends the process with status 130 and without a traceback.
"""

import gc
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn, TextIO

INTERRUPTED = 130
"""The exit status that shells report after Ctrl-C."""


def run_process(command: "Callable[[], int]") -> "NoReturn":
    """Run a command as the only work of this process, and end the process with its status."""
    try:
        sys.unraisablehook = _unraisable
        _open_closed_streams()
        status = command()
    except KeyboardInterrupt:
        _say_interrupted()
        status = INTERRUPTED
    finally:
        # The result is final; Ctrl-C during Python's exit must not print a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _flush(sys.stdout)
    _flush(sys.stderr)
    # Freeing all objects before the exit would take 3 % of the time of `compile`.
    os._exit(status)


def save_time() -> None:
    """Choose settings for a short process that keeps most of its objects. Entry points call it
    before they import the rest of the project."""
    # Garbage collection would take a tenth of the time and free nothing.
    gc.disable()
    # The matrices of the emulator are too small for threads, whose start takes 50 ms.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ..xdsl_support.dataclass_code import share_dataclass_code

    share_dataclass_code()


def _say_interrupted() -> None:
    """Tell on standard error, if it can be written, that the command did not end by itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        if sys.stderr is not None:
            sys.stderr.write("interrupted: the command has not finished\n")
    except (OSError, ValueError):
        pass
    _flush(sys.stderr)


def _flush(stream: "TextIO | None") -> None:
    """Write the rest of a standard stream, if it is open and can be written."""
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        pass


def _unraisable(problem: "sys.UnraisableHookArgs") -> None:
    """End the process after Ctrl-C in a callback, where Python would ignore the exception."""
    if problem.exc_type is KeyboardInterrupt:
        _say_interrupted()
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(problem)


def _open_closed_streams() -> None:
    """
    Replace each closed standard stream by a file on which reading or writing fails.

    Otherwise a file opened later would get its number and be read or written instead.
    """
    for number, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)


def main(arguments: "Sequence[str] | None" = None) -> int:
    """
    Run the command; returns the exit status.

    `arguments` defaults to those of the process; the command then controls the whole process.
    """
    if arguments is None:
        return run_process(_run_kept)
    return _run(arguments)


def _run_kept() -> int:
    from ..kept_results import run_kept

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
