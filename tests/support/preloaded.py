"""
Commands that start fast, because another process has imported what they need.

Tests start the commands of the project and FileCheck more than a thousand times; each start spends
most of its time on imports. `preloaded` starts a server that has done these imports, and makes a
folder with a program for each command. Such a program hands its arguments, working directory,
environment and standard streams to the server, which forks a process that runs the command with
them.
"""

import gc
import importlib
import marshal
import os
import socket
import subprocess
import sys
import tempfile
import traceback
from functools import cache
from pathlib import Path
from pkgutil import walk_packages
from select import select
from typing import NoReturn

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
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C is for the programs.
        start_new_session=True,
    )
    assert server.stdout is not None
    return server, Path(server.stdout.readline().strip())


def _serve() -> None:
    """Answer programs until standard input ends, with the process that started this one."""
    from tcgen05_dialect.xdsl_support.dataclass_code import share_dataclass_code

    share_dataclass_code()
    import tcgen05_dialect

    modules = walk_packages(tcgen05_dialect.__path__, "tcgen05_dialect.")
    for module in (*COMMANDS.values(), *(each.name for each in modules)):
        if not module.endswith("__main__"):
            importlib.import_module(module)
    gc.collect()
    gc.freeze()
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as listener:
        path = os.path.join(name, "socket")
        listener.bind(path)
        listener.listen(64)
        for command in COMMANDS:
            program = Path(name, command)
            program.write_text(
                _PROGRAM.format(python=sys.executable, path=path, command=command),
                encoding="utf-8",
            )
            program.chmod(0o755)
        print(name, flush=True)
        children = 0
        while listener in select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _answer(connection)
            connection.close()
            children += 1
            while children and os.waitpid(-1, os.WNOHANG)[0]:
                children -= 1


def _answer(connection: socket.socket) -> NoReturn:
    """Run the command of a program, and tell its exit status."""
    message, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    while more := connection.recv(1 << 16):
        message += more
    process = os.fork()
    if process == 0:
        connection.close()
        command, argv, folder, environment = marshal.loads(message)
        _run(command, argv, folder, environment, streams)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    # As shells say it, if a signal has ended the process.
    connection.send(bytes([status if status >= 0 else 128 - status]))
    os._exit(0)


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
        status = importlib.import_module(COMMANDS[command]).main()
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else status is not None)


if __name__ == "__main__":
    _serve()
