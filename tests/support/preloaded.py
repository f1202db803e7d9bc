"""
Commands that start fast, because another process has imported what they need.

Tests start the commands of the project and FileCheck more than a thousand times; each start spends
most of its time on imports. `preloaded` starts a server that has done these imports, and makes a
folder with a program for each command. Such a program hands its arguments, working directory,
environment and standard streams to the server, which forks a process that runs the command with
them.
"""

import gc
import marshal
import os
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from select import select
from typing import NoReturn

from .repository import EXAMPLES, RING, ROOT

COMMANDS = {
    "tcgen05": "tcgen05_dialect.tools.main",
    "tcgen05-opt": "tcgen05_dialect.tools.opt",
    "filecheck": "filecheck.main",
    "python": "tests.support.script",
}
"""Command -> the module with its function `main`."""
# To import `socket` would take as long as the start of Python.
_PROGRAM = """#!{python} -IS
import _socket, marshal, os, sys
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({path!r})
message = marshal.dumps(({command!r}, sys.argv, os.getcwd(), dict(os.environ)))
server.sendmsg([message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.shutdown(_socket.SHUT_WR)
os._exit(server.recv(1)[0])
"""


def preloaded() -> Path:
    """A folder with the programs, which run as long as this process does."""
    return _started()[1]


@cache
def _started() -> tuple[subprocess.Popen[str], Path]:
    """The server, which ends when its standard input is closed, and the folder that it made."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.preloaded"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C is for the programs.
        start_new_session=True,
    )
    assert server.stdout is not None
    return server, Path(server.stdout.readline().strip())


def _serve() -> None:
    """
    Answer programs until standard input ends, with the process that started this one.

    The fork of a small process is cheap: FileCheck has a server without the modules of the project.
    """
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        light = _listener(stack, name, ["filecheck"])
        import_module(COMMANDS["filecheck"])
        if os.fork() == 0:
            _answer(light)
            os._exit(0)
        listener = _listener(stack, name, [each for each in COMMANDS if each != "filecheck"])
        _import_all()
        print(name, flush=True)
        _answer(listener)


def _import_all() -> None:
    """Import all modules of the project, and make the classes and tables of their first uses."""
    from tcgen05_dialect.xdsl_support.dataclass_code import share_dataclass_code

    share_dataclass_code()
    from xdsl.universe import Universe

    import tcgen05_dialect
    from tcgen05_dialect import Source, check_source, compile_to_ptx

    modules = walk_packages(tcgen05_dialect.__path__, "tcgen05_dialect.")
    for module in (*COMMANDS.values(), *(each.name for each in modules)):
        if not module.endswith("__main__"):
            import_module(module)
    # That of all installed packages.
    Universe.get_multiverse()
    check_source(Source("ring.mlir", RING.read_text(encoding="utf-8")), verify="quick")
    compile_to_ptx((EXAMPLES / "ws" / "gemm.mlir").read_text(encoding="utf-8"))


def _listener(stack: ExitStack, folder: str, commands: list[str]) -> socket.socket:
    """The socket of a server, for whose commands it writes the programs."""
    listener = stack.enter_context(socket.socket(socket.AF_UNIX))
    path = os.path.join(folder, f"socket-{commands[0]}")
    listener.bind(path)
    listener.listen(64)
    for command in commands:
        program = Path(folder, command)
        program.write_text(
            _PROGRAM.format(python=sys.executable, path=path, command=command),
            encoding="utf-8",
        )
        program.chmod(0o755)
    return listener


def _answer(listener: socket.socket) -> None:
    """Run the commands of programs, and tell their exit statuses, until standard input ends."""
    gc.collect()
    gc.freeze()
    running: dict[int, socket.socket] = {}
    ended, signalled = socket.socketpair()
    signalled.setblocking(False)
    # Only a signal with a handler wakes the loop.
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(signalled.fileno())
    while sys.stdin not in (ready := select([listener, sys.stdin, ended], [], [])[0]):
        if listener in ready:
            connection, _ = listener.accept()
            process = os.fork()
            if process == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (listener, ended, signalled, *running.values()):
                    other.close()
                _receive(connection)
            running[process] = connection
        if ended in ready:
            ended.recv(1024)
        while running and (waited := os.waitpid(-1, os.WNOHANG))[0]:
            status = os.waitstatus_to_exitcode(waited[1])
            with running.pop(waited[0]) as connection, suppress(ConnectionError):
                # As shells say it, if a signal has ended the process.
                connection.send(bytes([status if status >= 0 else 128 - status]))
    signal.set_wakeup_fd(-1)


def _receive(connection: socket.socket) -> NoReturn:
    """Run the command that a program sends."""
    message, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    while more := connection.recv(1 << 16):
        message += more
    connection.close()
    command, argv, folder, environment = marshal.loads(message)
    _run(command, argv, folder, environment, streams)


def _run(
    command: str, argv: list[str], folder: str, environment: dict[str, str], streams: list[int]
) -> NoReturn:
    """Run a command as if it were the only work of this process."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = argv
    status = 1
    try:
        status = import_module(COMMANDS[command]).main()
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else status is not None)


if __name__ == "__main__":
    _serve()
