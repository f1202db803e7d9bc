"""A host program with cuda.core: adds to an array, and asks for what the driver lacks."""

import sys

import numpy as np
from cuda.bindings import driver as cuda
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch

device = Device()
device.set_current()
stream = device.create_stream()
with open(sys.argv[1], "rb") as file:
    kernel = ObjectCode.from_ptx(file.read()).get_kernel("add")
buffer = LegacyPinnedMemoryResource().allocate(256 * 4)
array = np.from_dlpack(buffer).view(np.int32)
array[:] = 7
launch(stream, LaunchConfig(grid=8, block=32), kernel, buffer, np.int32(5))
stream.sync()
print(device.name, device.compute_capability.major, np.array_equal(array, np.arange(256) + 12))
for _ in range(2):
    print(cuda.cuGraphCreate(0)[0].name)
print(cuda.cuModuleLoadData(b"\x7fELF" + bytes(100))[0].name)
print(cuda.cuMemcpyHtoD(int(buffer.handle) + 1000, bytes(100), 100)[0].name)
print(cuda.cuMemcpyHtoD(1234, bytes(4), 4)[0].name)
buffer.close()
