"""A host program that compiles CUDA C++ at run time, to a cubin, and runs it."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, launch

SOURCE = r"""
extern "C" __global__ void scale(float *x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
options = {"arch": f"sm_{device.arch}"}
kernel = Program(SOURCE, "c++", options).compile("cubin").get_kernel("scale")
buffer = LegacyPinnedMemoryResource().allocate(1000 * 4)
array = np.from_dlpack(buffer).view(np.float32)
array[:] = np.arange(1000)
launch(stream, LaunchConfig(grid=8, block=128), kernel, buffer, np.float32(3), np.int32(1000))
stream.sync()
print(np.array_equal(array, 3 * np.arange(1000)))
