"""
Commands in processes with limits of time and memory and without access to the user's files.

A process is forked from one that has imported the project. It may read Python's own files, and read
and write the files of its folder; it may start no program and open no connection.
"""

import os
import resource
import shutil
import signal
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from multiprocessing.util import get_temp_dir
from typing import Any, NamedTuple

from ..reporting.project import internal_error
from . import Answer, Request, RequestError, Run, answer


class Limits(NamedTuple):
    """The limits of a request: seconds, bytes of memory, and bytes of a written file."""

    seconds: float = 20
    memory: int = 2 << 30
    file: int = 64 << 20


class Refused(Exception):
    """The error of a request that went over a limit; the message is a sentence."""


PAUSE = 0.1
"""Seconds between two checks whether a request is still wanted."""
_CONTEXT = get_context("forkserver")


@contextmanager
def preloaded(module: str) -> Generator[None]:
    """Start the process from which the others are forked, which imports a module."""
    _CONTEXT.set_forkserver_preload([module])
    # Ctrl-C is for this process, which ends the others.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        yield
    finally:
        # A command ends without the clean-up of `multiprocessing`.
        shutil.rmtree(get_temp_dir(), ignore_errors=True)


def confined(
    request: Request, run: Run, limits: Limits, is_wanted: Callable[[], bool] = lambda: True
) -> Answer:
    """
    Run the command of a request in a process with limits, and return the answer.

    Raises Refused, also when the request is no longer wanted, and RequestError.
    """
    request.arguments()
    with tempfile.TemporaryDirectory(prefix="tcgen05-") as folder:
        ours, theirs = _CONTEXT.Pipe(duplex=False)
        process = _CONTEXT.Process(target=_work, args=(theirs, request, run, folder, limits))
        process.start()
        theirs.close()
        try:
            end = time.monotonic() + limits.seconds
            while not ours.poll(PAUSE):
                if not is_wanted():
                    raise Refused("the request is no longer wanted")
                if time.monotonic() > end:
                    raise Refused(f"the request took more than {limits.seconds:g} seconds")
            found = _received(ours.recv, limits)
        finally:
            process.kill()
            process.join()
            process.close()
            ours.close()
    return found


def _received(receive: Callable[[], object], limits: Limits) -> Answer:
    try:
        found = receive()
    except EOFError:
        message = (
            f"the process ended before its answer: it needs more than {limits.seconds:g} seconds "
            f"or {limits.memory >> 20} MiB of memory"
        )
        raise Refused(message) from None
    if isinstance(found, Exception):
        raise found
    assert isinstance(found, Answer)
    return found


def _work(
    connection: "Connection[Any, Any]", request: Request, run: Run, folder: str, limits: Limits
) -> None:
    """Answer a request in this process, which then ends."""
    found: Answer | Exception
    try:
        _limit(limits)
        _shut(folder)
        found = answer(request, run, folder)
    except RequestError as error:
        found = error
    except Exception as error:
        found = Refused(internal_error(error))
    # Nobody receives it if the server has ended.
    with suppress(BrokenPipeError):
        connection.send(found)
    os._exit(0)


def _limit(limits: Limits) -> None:
    seconds = int(limits.seconds) + 1
    for kind, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # macOS refuses a limit of memory.
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (allowed, allowed))


_FORBIDDEN = (
    "os.exec",
    "os.fork",
    "os.kill",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
    "socket.",
    "subprocess.",
)
"""Prefixes of Python's audit events that start programs or open connections."""
_READING = frozenset({"os.chdir", "os.listdir", "os.scandir"})
_WRITING = frozenset(
    f"os.{name}"
    for name in (
        *("chmod", "chown", "link", "mkdir", "remove"),
        *("rename", "rmdir", "symlink", "truncate", "utime"),
    )
)
"""Audit events that read or write one or two paths; `open` may do either."""
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _shut(folder: str) -> None:
    """Refuse programs, connections, and files outside of Python's folders and `folder`, until the
    process ends. The code of this process is trusted; the hook is for paths that users type."""
    own = (os.path.realpath(folder),)
    site = sysconfig.get_path("purelib", f"{os.name}_user")
    # In an editable installation the passes are not beside the package.
    passes = import_module("tcgen05_dialect.passes").__path__
    roots = (sys.prefix, sys.base_prefix, site, _PACKAGE, *passes)
    readable = (*own, *(os.path.realpath(root) for root in roots))

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith(_FORBIDDEN):
            raise PermissionError(1, "the playground starts no programs and opens no connections")
        paths, allowed = arguments[:2], readable
        if event == "open":
            paths, flags = arguments[:1], arguments[2]
            allowed = own if isinstance(flags, int) and flags & _WRITE_FLAGS else readable
        elif event in _WRITING:
            allowed = own
        elif event not in _READING:
            return
        for path in paths:
            # A number is an open file.
            if not isinstance(path, int | None):
                name = os.fsdecode(path) if isinstance(path, str | bytes) else str(path)
                real = os.path.realpath(name)
                if real != os.devnull and not any(_is_in(real, root) for root in allowed):
                    raise PermissionError(13, "the playground has no access to this file")

    sys.addaudithook(refuse)


_PACKAGE = os.path.dirname(os.path.dirname(__file__))


def _is_in(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
