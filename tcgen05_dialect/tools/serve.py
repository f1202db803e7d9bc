"""Command `tcgen05 serve`: serves the playground to a browser on this machine."""

import signal
import socket
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib.util import find_spec

from .commands import run_command
from .files import CommandError, complain, reason, write_output
from .main import INTERRUPTED

_LIBRARIES = ("starlette", "uvicorn", "ml_dtypes")


def run_confined(arguments: Sequence[str]) -> int:
    """Run a command for the page. Functions of Python files, which a launch file may name, could
    do more than read the files that are open to the command."""
    from ..simulator.launch.reference import Reference

    Reference.allowed = False
    return run_command(arguments)


def run_serve(options: Namespace) -> int:
    """Serve until Ctrl-C, which is the normal end and prints no message."""
    try:
        _serve(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _serve(options: Namespace) -> None:
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise CommandError(f"{missing[0]} is missing: install tcgen05-dialect[serve]")
    if sys.platform == "win32":
        raise CommandError("serve limits the time and memory of requests as Linux and macOS do")
    from ..playground.confined import preloaded
    from ..playground.server import ADDRESS, PAGE

    if not (PAGE / "index.html").exists():
        raise CommandError(f"the page is not built: `make page` in a clone builds {PAGE}")
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, options.port))
            listener.listen()
        except OSError as error:
            raise CommandError(f"cannot use port {options.port}: {reason(error)}") from error
        # By default, the signal would leave no time to remove files.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with preloaded(f"{__package__}.preload"):
            _serve_on(listener, options)


def _serve_on(listener: socket.socket, options: Namespace) -> None:
    from ..playground import Request
    from ..playground.confined import Limits
    from ..playground.server import ADDRESS, PAGE, Server
    from .check import processors

    port = listener.getsockname()[1]
    server = Server(port, run_confined, Limits(options.seconds), processors(), PAGE)
    # So the first request need not wait for imports.
    server.answer(Request("explain"))
    address = f"http://{ADDRESS}:{port}/{server.token}/"
    write_output(None, f"{address}\n".encode())
    complain("Open this address in a browser; Ctrl-C ends the server.")
    if options.open:
        import webbrowser

        webbrowser.open(address)
    server.serve(listener)
