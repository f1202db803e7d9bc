"""
Process of the emulated CUDA driver: answers the requests of the library `libcuda.c`, which come
through a socket. A file holds the memory of the device; the host program maps it. The library
starts it as `python -m tcgen05_dialect.driver.process SOCKET MEMORY`, with two descriptors.
"""

import ctypes
import gc
import os
import signal
import struct
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from ..xdsl_support.dataclass_code import share_dataclass_code
from .numbers import ARENA

if TYPE_CHECKING:
    from socket import socket
    from threading import Lock

    from xdsl.dialects.builtin import ModuleOp

    from ..reporting.diagnostics import Source

_HEAD = struct.Struct("<QQ")
_ADDRESS = struct.Struct("<Q")
_ANSWER = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_char_p),
    ctypes.POINTER(ctypes.c_uint64),
)
"""The type of the function that answers the library in its own process."""
_kept: list[object] = []
"""The function that the library calls."""


@cache
def emulate_here() -> "dict[str, tuple[ModuleOp, Source]] | None":
    """
    Make this process the emulator of its own CUDA driver; None if the driver is another one. Call
    it before the driver is initialised.

    The result is empty: PTX text -> the module from which this process printed the text, and the
    source of the module. The emulator does not parse such text.
    """
    try:
        choose: Any = ctypes.CDLL("libcuda.so.1").tcgen05EmulateWith
    except (OSError, AttributeError):
        return None
    import numpy as np

    from .server import Server

    known: dict[str, tuple[ModuleOp, Source]] = {}
    servers: list[Server] = []
    given = b""

    def answer(what: int, data: int, size: int, text: Any, length: Any) -> int:
        nonlocal given
        content, status = ctypes.string_at(data, size), 0
        if servers:
            status, given = servers[0].answer(what, content)
        else:  # The first request gives the address of the memory.
            (base,) = _ADDRESS.unpack(content)
            arena = (ctypes.c_uint8 * ARENA).from_address(base)
            servers.append(Server(np.frombuffer(memoryview(arena), np.uint8), base, known))
        text[0], length[0] = given, len(given)
        return status

    _kept.append(_ANSWER(answer))
    choose(*_kept)
    return known


def _serve(host: "socket", memory: int) -> int:
    """Serve one host program, until it ends; returns the exit status. `memory` is a descriptor."""
    import mmap
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the host program.
    # The matrices of the emulator are too small for threads, whose start takes 50 ms.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    share_dataclass_code()
    with host:
        stream = host.makefile("rb")
        # The first request gives the address of the memory, and asks whether this process runs.
        # Answer before the imports: the host program continues during them.
        if not stream.read(_HEAD.size):
            return 0
        (base,) = _ADDRESS.unpack(stream.read(_ADDRESS.size))
        host.sendall(_HEAD.pack(0, 0))
        gc.disable()
        try:
            import numpy as np

            from .server import Server, read_smallest
        except ModuleNotFoundError as error:
            sys.stderr.write(f"tcgen05: {error.name} is missing: install tcgen05-dialect[sim]\n")
            return 2
        gc.enable()
        read_smallest()
        server = Server(np.frombuffer(mmap.mmap(memory, 0), np.uint8), base, {})
        Thread(target=_end_with, args=(host, server.writing), daemon=True).start()
        while len(head := stream.read(_HEAD.size)) == _HEAD.size:
            what, size = _HEAD.unpack(head)
            status, answer = server.answer(what, stream.read(size))
            host.sendall(_HEAD.pack(status, len(answer)) + answer)
    return 0


def _end_with(host: "socket", writing: "Lock") -> None:
    """End this process when the host program has ended, also while a kernel runs."""
    import select

    poller = select.poll()
    poller.register(host, 0)
    poller.poll()
    with writing:
        os._exit(0)


if __name__ == "__main__":
    from socket import socket

    _connection, _memory = map(int, sys.argv[1:])
    sys.exit(_serve(socket(fileno=_connection), _memory))
