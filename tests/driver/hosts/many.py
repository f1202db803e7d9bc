"""A host program of many launches; it prints whether memory grows and whether the sum is right."""

import os
import subprocess
import sys
from ctypes import c_int

import numpy as np
from cuda.bindings import driver as cuda

SIZE, LAST = 256, int(sys.argv[2])
MEASURED = LAST // 5, LAST * 3 // 5
MOST_GROWTH = 1 << 19


def memory() -> list[int]:
    """The bytes that this process and its emulator have in memory."""
    command = ["ps", "-o", "rss=", "--pid", str(os.getpid()), "--ppid", str(os.getpid())]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.split()
    return [1024 * int(each) for each in lines[:2]]


with open(sys.argv[1], "rb") as file:
    text = file.read()
cuda.cuInit(0)
cuda.cuCtxCreate(None, 0, 0)
function = cuda.cuModuleGetFunction(cuda.cuModuleLoadData(text)[1], b"add")[1]
_, total = cuda.cuMemAlloc(4 * SIZE)
cuda.cuMemsetD32(total, 0, SIZE)
found_memory: list[list[int]] = []
for number in range(LAST):
    if number in MEASURED:
        found_memory.append(memory())
    # Each launch has memory, a stream and an event of its own.
    _, stream = cuda.cuStreamCreate(0)
    _, event = cuda.cuEventCreate(0)
    _, other = cuda.cuMemAllocAsync(4096 * (1 + number % 5), stream)
    parameters = ((total, 1), (None, c_int))
    cuda.cuLaunchKernel(function, SIZE // 32, 1, 1, 32, 1, 1, 0, stream, parameters, 0)
    cuda.cuEventRecord(event, stream)
    cuda.cuEventSynchronize(event)
    cuda.cuMemFreeAsync(other, stream)
    cuda.cuEventDestroy(event)
    cuda.cuStreamDestroy(stream)
found_memory.append(memory())
# A leak grows all the time, a pool of an allocator at some time.
growth = [
    min(last - middle, middle - first) for first, middle, last in zip(*found_memory, strict=True)
]
found = np.empty(SIZE, np.int32)
cuda.cuMemcpyDtoH(found.ctypes.data, total, found.nbytes)
print(all(each < MOST_GROWTH for each in growth) or growth)
print(np.array_equal(found, LAST * (1 + np.arange(SIZE))))
