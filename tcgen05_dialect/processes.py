"""Work that several processes share: forks of the first one, which end with it."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from .kept_results import Record

Item = TypeVar("Item")
Result = TypeVar("Result")
_KILLED = "a process that checks files was killed, perhaps out of memory; try --jobs 1"


class Processes:
    """How many processes may share the work on one file."""

    allowed: ClassVar[int] = 1


class KilledProcess(Exception):
    """A process was killed, and its results are lost."""


def can_fork() -> bool:
    """Whether a fork is safe: there is one thread. jaxlib starts some, and a fork copies the locks
    that they hold."""
    if not hasattr(os, "fork"):
        return False
    try:
        # A folder has a link to itself, one in its parent, and one in each folder in it.
        return os.stat("/proc/self/task").st_nlink == 3
    except OSError:
        return threading.active_count() == 1


class _Task:
    """The function that the processes call; they inherit it, so nobody has to pickle it."""

    call: ClassVar[Callable[[int], Any]]


def in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[Result]:
    """
    The results of a function for each item, in the order of the items. Up to `processes` forks
    compute them, each alone: a fork has a thread, so it forks no more. Raises KilledProcess.
    """
    count = min(processes, len(items)) if hasattr(os, "fork") else 1
    if count < 2:
        yield from map(function, items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    _Task.call = lambda at: function(items[at])
    record = Record.current
    with ProcessPoolExecutor(count, get_context("fork"), _begin) as pool:
        try:
            for result, seen in pool.map(_result, range(len(items))):
                if record is not None and seen is not None:
                    record.absorb(*seen)
                yield result
        except BrokenProcessPool as error:
            raise KilledProcess(_KILLED) from error
        except (KeyboardInterrupt, GeneratorExit):
            # Nobody wants the rest. The thread of the pool fails if processes end while it has work
            # that is cancelled.
            hook, threading.excepthook = threading.excepthook, _ignore
            try:
                for process in active_children():
                    process.terminate()
                pool.shutdown()
            finally:
                threading.excepthook = hook
            raise


def _ignore(_: object) -> None:
    """Print nothing about an exception that ends a thread."""


def _result(at: int) -> tuple[Any, Any]:
    """The result for an item, and what this process has read."""
    result, record = _Task.call(at), Record.current
    return result, record and record.seen


def _begin() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it."""
    if Record.current is not None:
        # What the start of this process has read counts for nothing.
        Record().start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
