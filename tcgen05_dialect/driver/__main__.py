"""Process of the emulated CUDA driver: `python -m tcgen05_dialect.driver SOCKET MEMORY`."""

import sys
from socket import socket

from .process import serve

if __name__ == "__main__":
    connection, memory = map(int, sys.argv[1:])
    sys.exit(serve(socket(fileno=connection), memory))
