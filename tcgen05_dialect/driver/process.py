"""
Process of the emulated CUDA driver: answers the requests of the library `libcuda.c`, which come
through a socket. A file holds the memory of the device; the host program maps it.
"""

import gc
import mmap
import os
import select
import signal
import struct
import sys
from socket import socket, socketpair
from threading import Lock, Thread

from ..xdsl_support.dataclass_code import share_dataclass_code
from .numbers import EMULATOR, PYTHON

_HEAD = struct.Struct("<QQ")
_ADDRESS = struct.Struct("<Q")


def start_copy() -> None:
    """
    Fork this process to start the emulator, if the CUDA driver is the emulated one. The copy needs
    no imports, which take longer than most kernels. Call it before the driver's library or a thread
    starts. A second call does nothing.
    """
    owner, _, _ = os.environ.get(EMULATOR, "").partition(" ")
    if PYTHON not in os.environ or owner == str(os.getpid()):
        return
    memory = os.memfd_create("device")
    ours, theirs = socketpair()
    sys.stdout.flush()
    sys.stderr.flush()
    copy = os.fork()
    if not copy:
        status = 1
        try:
            ours.close()
            status = serve(theirs, memory)
        finally:
            os._exit(status)
    theirs.close()
    os.environ[EMULATOR] = f"{os.getpid()} {ours.detach()} {memory} {copy}"


def serve(host: socket, memory: int) -> int:
    """Serve one host program, until it ends; returns the exit status. `memory` is a descriptor."""
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

            from .server import Server
        except ModuleNotFoundError as error:
            sys.stderr.write(f"tcgen05: {error.name} is missing: install tcgen05-dialect[sim]\n")
            return 2
        gc.enable()
        server = Server(np.frombuffer(mmap.mmap(memory, 0), np.uint8), base)
        Thread(target=_end_with, args=(host, server.writing), daemon=True).start()
        while len(head := stream.read(_HEAD.size)) == _HEAD.size:
            what, size = _HEAD.unpack(head)
            status, answer = server.answer(what, stream.read(size))
            host.sendall(_HEAD.pack(status, len(answer)) + answer)
    return 0


def _end_with(host: socket, writing: Lock) -> None:
    """End this process when the host program has ended, also while a kernel runs."""
    poller = select.poll()
    poller.register(host, 0)
    poller.poll()
    with writing:
        os._exit(0)
