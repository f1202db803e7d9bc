"""A host program that captures the work of two streams in a graph, and launches it."""

import ctypes
import sys
from threading import Thread

import numpy as np
from cuda.bindings import driver as cuda

SIZE, LAUNCHES = 256, 30
MODE = cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL
calls: list[int] = []
note = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: calls.append(data or 0))


def ok(answer: tuple[object, ...]) -> object:
    assert answer[0] == cuda.CUresult.CUDA_SUCCESS, answer[0]
    return answer[1] if len(answer) == 2 else answer[1:]


def captured(step: int) -> object:
    """A graph that computes an array, on two streams, and copies it to `result`."""
    ok(cuda.cuStreamBeginCapture(first, MODE))
    ok(cuda.cuMemsetD32Async(array, 7, SIZE, first))
    ok(cuda.cuEventRecord(event, first))
    ok(cuda.cuStreamWaitEvent(second, event, 0))
    parameters = ((array, step), (None, ctypes.c_int))
    ok(cuda.cuLaunchKernel(function, SIZE // 32, 1, 1, 32, 1, 1, 0, second, parameters, 0))
    ok(cuda.cuLaunchHostFunc(second, cuda.CUhostFn(ctypes.cast(note, ctypes.c_void_p).value), step))
    ok(cuda.cuEventRecord(event, second))
    ok(cuda.cuStreamWaitEvent(first, event, 0))
    ok(cuda.cuMemcpyDtoHAsync(result.ctypes.data, array, result.nbytes, first))
    return ok(cuda.cuStreamEndCapture(first))


with open(sys.argv[1], "rb") as file:
    text = file.read()
ok(cuda.cuInit(0))
ok(cuda.cuCtxCreate(None, 0, 0))
function = ok(cuda.cuModuleGetFunction(ok(cuda.cuModuleLoadData(text)), b"add"))
array, event = ok(cuda.cuMemAlloc(4 * SIZE)), ok(cuda.cuEventCreate(0))
first, second = (ok(cuda.cuStreamCreate(1)) for _ in range(2))
result, numbers = np.zeros(SIZE, np.int32), np.arange(SIZE)
graphs = [captured(step) for step in (3, 4)]
print("captured", result.max(), calls)
executable = ok(cuda.cuGraphInstantiate(graphs[0], 0))
for step in (3, 3, 4):
    if step == 4:
        ok(cuda.cuGraphExecUpdate(executable, graphs[1]))
    result[:] = 0
    ok(cuda.cuGraphLaunch(executable, second))
    print(step, np.array_equal(result, 7 + step + numbers), calls)
for graph in graphs:
    ok(cuda.cuGraphDestroy(graph))
ok(cuda.cuGraphLaunch(executable, first))
ok(cuda.cuGraphExecDestroy(executable))
print(cuda.cuGraphLaunch(executable, first)[0].name)
print(cuda.cuGraphDestroy(graphs[0])[0].name)
print(cuda.cuStreamEndCapture(first)[0].name)
print(cuda.cuStreamBeginCapture(0, MODE)[0].name)
# A graph that a stream still captures is neither destroyed nor launched.
for ends in (True, False):
    ok(cuda.cuStreamBeginCapture(first, MODE))
    open_graph = ok(cuda.cuStreamGetCaptureInfo(first))[2]
    print(cuda.cuGraphDestroy(open_graph)[0].name, cuda.cuGraphInstantiate(open_graph, 0)[0].name)
    ok(cuda.cuMemsetD32Async(array, ends, SIZE, first))
    if ends:
        executable = ok(cuda.cuGraphInstantiate(ok(cuda.cuStreamEndCapture(first)), 0))
        ok(cuda.cuStreamBeginCapture(first, MODE))
        print(cuda.cuGraphLaunch(executable, first)[0].name)
        ok(cuda.cuGraphDestroy(ok(cuda.cuStreamEndCapture(first))))
        ok(cuda.cuGraphLaunch(executable, first))
        ok(cuda.cuGraphDestroy(open_graph))
    else:  # The capture ends with its stream.
        ok(cuda.cuStreamDestroy(first))
        print(cuda.cuGraphDestroy(open_graph)[0].name)
# Threads launch one graph at the same time, and the memory of the device grows meanwhile.
ok(cuda.cuStreamBeginCapture(second, MODE))
parameters = ((array, 0), (None, ctypes.c_int))
ok(cuda.cuLaunchKernel(function, SIZE // 32, 1, 1, 32, 1, 1, 0, second, parameters, 0))
executable = ok(cuda.cuGraphInstantiate(ok(cuda.cuStreamEndCapture(second)), 0))
ok(cuda.cuMemsetD32(array, 0, SIZE))
context = ok(cuda.cuCtxGetCurrent())


def launches() -> None:
    ok(cuda.cuCtxSetCurrent(context))
    for number in range(LAUNCHES):
        ok(cuda.cuMemAlloc(16 + number))
        ok(cuda.cuGraphLaunch(executable, 0))


threads = [Thread(target=launches) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
ok(cuda.cuMemcpyDtoH(result.ctypes.data, array, result.nbytes))
print(np.array_equal(result, len(threads) * LAUNCHES * numbers))
