"""
Process of the emulated CUDA driver: `python -m tcgen05_dialect.driver SOCKET FILE BASE`.

The library `libcuda.c` starts the process and sends requests through the socket. The file holds the
memory of the device; the host program maps it at the address BASE.
"""

import gc
import mmap
import os
import select
import signal
import struct
import sys
from socket import socket
from threading import Lock, Thread

from ..xdsl_support.dataclass_code import share_dataclass_code

_HEAD = struct.Struct("<QQ")


def _end_with(host: socket, writing: Lock) -> None:
    """End this process when the host program has ended, also while a kernel runs."""
    poller = select.poll()
    poller.register(host, 0)
    poller.poll()
    with writing:
        os._exit(0)


def main() -> int:
    """Serve one host program, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the host program.
    # The matrices of the emulator are too small for threads, whose start takes 50 ms.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    share_dataclass_code()
    connection, file, base = (int(each) for each in sys.argv[1:])
    with socket(fileno=connection) as host:
        stream = host.makefile("rb")
        # The first question asks whether this process runs. The answer does not wait for imports,
        # which take place while the host program goes on.
        stream.read(_HEAD.size)
        host.sendall(_HEAD.pack(0, 0))
        gc.disable()
        try:
            import numpy as np

            from .server import Server
        except ModuleNotFoundError as error:
            sys.stderr.write(f"tcgen05: {error.name} is missing: install tcgen05-dialect[sim]\n")
            return 2
        gc.enable()
        server = Server(np.frombuffer(mmap.mmap(file, 0), np.uint8), base)
        Thread(target=_end_with, args=(host, server.writing), daemon=True).start()
        while len(head := stream.read(_HEAD.size)) == _HEAD.size:
            what, size = _HEAD.unpack(head)
            status, answer = server.answer(what, stream.read(size))
            host.sendall(_HEAD.pack(status, len(answer)) + answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
