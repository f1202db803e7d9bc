"""
The host program whose calls are the golden ones: the launcher of cuda.core.

    python core_gemm.py PTX KERNEL BOX_ROWS_OF_A BOX_ROWS_OF_B CLUSTER GRID M N K

GRID and CLUSTER are the extents along x and y; GRID is in clusters.
"""

import sys

import ml_dtypes
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core._tensor_map import TensorMapL2Promotion, TensorMapSwizzle
from cuda.core.utils import StridedMemoryView

SHARED_BYTES = 196608
path, name, box_a, box_b, cluster, grid, *sizes = sys.argv[1:]
m, n, k = map(int, sizes)
device = Device()
device.set_current()
stream = device.create_stream()
with open(path, "rb") as file:
    kernel = ObjectCode.from_ptx(file.read()).get_kernel(name)
LIMIT = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
driver.cuKernelSetAttribute(LIMIT, SHARED_BYTES, kernel.handle, 0)
buffers = [
    device.allocate(2 * rows * columns, stream=stream) for rows, columns in ((m, k), (n, k), (m, n))
]
maps = [
    StridedMemoryView.from_buffer(buffer, (rows, k), dtype=np.dtype(np.uint16)).as_tensor_map(
        (int(box), 64),
        data_type=np.dtype(ml_dtypes.bfloat16),
        swizzle=TensorMapSwizzle.SWIZZLE_128B,
        l2_promotion=TensorMapL2Promotion.L2_128B,
    )
    for buffer, rows, box in zip(buffers[:2], (m, n), (box_a, box_b), strict=True)
]
config = LaunchConfig(
    grid=tuple(map(int, grid.split("x"))),
    block=192,
    shmem_size=SHARED_BYTES,
    **({} if cluster == "1x1" else {"cluster": tuple(map(int, cluster.split("x")))}),
)
launch(stream, config, kernel, *maps, buffers[2], *map(np.int32, (m, n, k)))
stream.sync()
