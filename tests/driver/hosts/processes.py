"""A host program of two processes; each dies while its kernel runs for ever."""

import os
import signal
import subprocess
import sys
from threading import Timer

from cuda.bindings import driver as cuda

WAITS = b""".version 8.6
.target sm_100a
.address_size 64
.visible .entry wait()
{
again:
  bra again;
}
"""

if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "inner"])
cuda.cuInit(0)
cuda.cuCtxCreate(None, 0, 0)
command = ["ps", "-o", "pid=", "--ppid", str(os.getpid())]
print(subprocess.run(command, capture_output=True, text=True).stdout.split()[0], flush=True)
cuda.cuModuleLoadData(b"\0")
module = cuda.cuModuleLoadData(WAITS)[1]
cuda.cuModuleGetFunction(module, b"other")
function = cuda.cuModuleGetFunction(module, b"wait")[1]
Timer(1, os.kill, (os.getpid(), signal.SIGKILL)).start()
cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0)
print("the kernel has ended")
