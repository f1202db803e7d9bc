"""A host program: `Kernel.launch` with arrays of other packages, and from threads."""

import sys
from pathlib import Path
from threading import Thread

import numpy as np
from cuda.bindings import driver as cuda
from cuda.core import Device, LegacyPinnedMemoryResource
from cuda.core.utils import StridedMemoryView

from tcgen05_dialect import Kernel, Launch

N = 256
LAUNCH = Launch(grid=(8,), block=(32,))
kernel = Kernel(Path(sys.argv[1]).read_text())
device = Device()
device.set_current()
stream, other = device.create_stream(), device.create_stream()


class Foreign:
    """An array that has only __cuda_array_interface__, as those of numba."""

    def __init__(self, address, stream=None):
        data = {"shape": (N,), "typestr": "<i4", "data": (address, False), "version": 3}
        self.__cuda_array_interface__ = {**data, "stream": stream}


def shown(what, array, start, step):
    print(what, np.array_equal(array, start + np.arange(N) + step))


host = np.full(N, 7, np.int32)
milliseconds = kernel.launch([host, 5], LAUNCH, timed=True)
shown("numpy", host, 7, 5)
print("timed", milliseconds > 0)

pinned = LegacyPinnedMemoryResource().allocate(4 * N)
seen = np.from_dlpack(pinned).view(np.int32)
seen[:] = 1
address = int(pinned.handle)
kernel.launch({"array": Foreign(address, int(other.handle)), "step": 2}, LAUNCH, stream=stream)
stream.sync()
shown("interface", seen, 1, 2)

buffer = device.allocate(4 * N, stream=stream)
cuda.cuMemsetD32(int(buffer.handle), 3, N)
view = StridedMemoryView.from_buffer(buffer, (N,), dtype=np.dtype(np.int32))
print("on the device", view.__dlpack_device__()[0] != 1)
kernel.launch([view, 4], LAUNCH, stream=stream)
cuda.cuMemcpyDtoH(seen.ctypes.data, int(buffer.handle), 4 * N)
shown("dlpack", seen, 3, 4)


def many(array):
    for _ in range(20):
        kernel.launch([array, 0], LAUNCH)


arrays = [np.zeros(N, np.int32) for _ in range(3)]
threads = [Thread(target=many, args=(each,)) for each in arrays]
for each in threads:
    each.start()
for each in threads:
    each.join()
print("threads", all(np.array_equal(each, 20 * np.arange(N)) for each in arrays))

for wrong in ([host[::2], 1], [host], [view, "x"], {"arry": host}):
    try:
        kernel.launch(wrong, LAUNCH)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
