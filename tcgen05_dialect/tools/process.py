"""
The frame of a process that runs a command: closed streams, and Ctrl-C at any time.

The modules of the entry points import nothing else: Ctrl-C then ends even the imports with status
130 and no traceback.
"""

import os
import signal
import sys
from collections.abc import Callable

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells report it."""


def run_process(command: Callable[[], int]) -> int:
    """Run a command as the whole of this process; returns the exit status."""
    try:
        sys.unraisablehook = _unraisable
        _open_closed_streams()
        return command()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        # The result stands. What Python does at exit must not end in a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _unraisable(problem: "sys.UnraisableHookArgs") -> None:
    """End the process for Ctrl-C in a callback of the interpreter, which would swallow it."""
    if problem.exc_type is KeyboardInterrupt:
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(problem)


def _open_closed_streams() -> None:
    """
    Give a standard stream that is closed a file that refuses what the stream is for.

    A file that is opened later would take its number, and be written to or read from instead.
    """
    for number, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
