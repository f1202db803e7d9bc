"""
A host program with Triton, without torch: one tile of a product, whose operands Triton's launcher
encodes as tensor maps. The calls are golden ones.

    tcgen05 run-host --calls FILE python triton_gemm.py
"""

from typing import Any

import numpy as np
import triton
import triton.language as tl
from cuda.bindings import driver as cuda
from triton.backends.nvidia.compiler import CUDABackend
from triton.tools.tensor_descriptor import TensorDescriptor

M, N, K = 200, 300, 264
TILE_M, TILE_N, TILE_K = 128, 256, 64
# Triton loads machine code; the emulated driver takes the PTX of the same kernel.
CUDABackend.make_cubin = lambda self, src, *_: src.encode()


class Tensor:
    """Memory of the device, as Triton takes it."""

    def __init__(self, dtype: Any, rows: int, columns: int) -> None:
        self.dtype, self.shape, self._strides = dtype, (rows, columns), (columns, 1)
        self._size = dtype.primitive_bitwidth // 8
        self._address = int(cuda.cuMemAlloc(self._size * rows * columns)[1])

    def data_ptr(self) -> int:
        return self._address

    def stride(self) -> tuple[int, int]:
        return self._strides

    def element_size(self) -> int:
        return self._size


@triton.jit
def tile(a, b, c, rows: tl.constexpr, columns: tl.constexpr):
    product = tl.dot(a.load([0, 0]), b.load([0, 0]).T)
    row, column = tl.arange(0, rows)[:, None], tl.arange(0, columns)[None, :]
    tl.store(c + row * columns + column, product)


cuda.cuInit(0)
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(0)[1])
a, b = Tensor(tl.bfloat16, M, K), Tensor(tl.bfloat16, N, K)
c = Tensor(tl.float32, TILE_M, TILE_N)
for each in (a, b):
    cuda.cuMemsetD16(each.data_ptr(), 0x3F80, each.shape[0] * K)
maps = [
    TensorDescriptor(each, [*each.shape], [*each.stride()], [rows, TILE_K])
    for each, rows in ((a, TILE_M), (b, TILE_N))
]
tile[(1,)](*maps, c, TILE_M, TILE_N)
result = np.empty((TILE_M, TILE_N), np.float32)
cuda.cuMemcpyDtoH(result.ctypes.data, c.data_ptr(), result.nbytes)
print(np.all(result == TILE_K))
