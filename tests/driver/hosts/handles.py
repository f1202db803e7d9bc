"""A host program with wrong handles, sizes and processes; it prints what the driver answers."""

import ctypes
import os
import signal
import subprocess
import sys

from cuda.bindings import driver as cuda


def tell(what: str, answer: tuple[cuda.CUresult, *tuple[object, ...]]) -> None:
    print(what, answer[0].name.removeprefix("CUDA_ERROR_"), flush=True)


tell("unloaded", cuda.cuLibraryUnload(cuda.CUlibrary(12345)))
with open(sys.argv[1], "rb") as file:
    text = file.read()
os.chdir(sys.argv[2])
cuda.cuInit(0)
cuda.cuCtxCreate(None, 0, 0)
tell("folder", cuda.cuModuleLoad(b"/"))
module = cuda.cuModuleLoadData(text)[1]
function = cuda.cuModuleGetFunction(module, b"add")[1]
size = ctypes.c_size_t(4)
extra = (ctypes.c_void_p * 3)(2, ctypes.addressof(size), 0)
launch = 1, 1, 1, 32, 1, 1, 0, 0, 0
tell("no buffer", cuda.cuLaunchKernel(function, *launch, ctypes.addressof(extra)))
known = {"null": cuda.CUfunction(0), "number": cuda.CUfunction(12345), "freed": function}
for what, each in known.items():
    if what == "freed":
        cuda.cuModuleUnload(module)
    tell(what, cuda.cuLaunchKernel(each, *launch, 0))
    tell(what, cuda.cuFuncGetAttribute(cuda.CUfunction_attribute(0), each))
tell("module", cuda.cuModuleGetFunction(module, b"add"))
_, memory = cuda.cuMemAlloc(16)
tell("memory", cuda.cuMemAlloc(2**64 - 8))
tell("copy", cuda.cuMemcpyDtoD(memory, memory, 2**64 - 8))
tell("fill", cuda.cuMemsetD32(memory, 0, 2**62))
makers = {"stream": cuda.cuStreamCreate, "event": cuda.cuEventCreate}
for what, make in makers.items():
    destroy = getattr(cuda, make.__name__.replace("Create", "Destroy"))
    handle = make(0)[1]
    for _ in range(2):
        tell(f"{what} destroyed", destroy(handle))
    stream, event = (handle, 0) if what == "stream" else (0, handle)
    tell(f"{what} used", cuda.cuEventRecord(event, stream))
tell("stream used", cuda.cuMemsetD8Async(memory, 0, 16, cuda.CUstream(4096)))
for version in ("sm_90", "sm_90a", "sm_100f", "sm_120a", "sm_110"):
    module = text.replace(b"sm_100a", version.encode())
    tell(version, cuda.cuModuleLoadData(module))
_, first = cuda.cuCtxGetCurrent()
for _ in range(2):
    tell("context destroyed", cuda.cuCtxDestroy(first))
if not os.fork():
    tell("fork", cuda.cuInit(0))
    tell("fork", cuda.cuMemAlloc(16))
    os._exit(0)
os.wait()
own = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True).stdout
os.kill(int(own.split()[0]), signal.SIGKILL)
cuda.cuCtxCreate(None, 0, 0)
for _ in range(2):
    tell("killed", cuda.cuModuleLoadData(b".version 8.8"))
