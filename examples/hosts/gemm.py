"""
A host program: a matrix product with the CUDA driver API, as cuda.bindings has it.

    python gemm.py PTX [MISTAKE]

PTX is that of examples/ws/gemm.mlir. MISTAKE is one of those that hosts make: box, attribute,
freed, size or short.
"""

import ctypes
import sys

import numpy as np
from cuda.bindings import driver as cuda

M, N, K = 200, 300, 264
TILE_M, TILE_N, TILE_K = 128, 256, 64
SHARED_BYTES = 4 * (TILE_M + TILE_N) * TILE_K * 2


def done(results):
    status, *values = results
    if status != cuda.CUresult.CUDA_SUCCESS:
        _, name = cuda.cuGetErrorName(status)
        print(name.decode())
        sys.exit(3)
    return values[0] if len(values) == 1 else values


def to_device(array):
    address = done(cuda.cuMemAlloc(array.nbytes))
    done(cuda.cuMemcpyHtoD(address, array, array.nbytes))
    return address


def bf16(values):
    """The upper halves of f32 numbers that have no lower halves."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def tensor_map(address, rows, columns, box_rows, box_columns):
    return done(
        cuda.cuTensorMapEncodeTiled(
            cuda.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
            2,
            address,
            [cuda.cuuint64_t(each) for each in (columns, rows)],
            [cuda.cuuint64_t(2 * columns)],
            [cuda.cuuint32_t(each) for each in (box_columns, box_rows)],
            [cuda.cuuint32_t(1)] * 2,
            cuda.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
            cuda.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B,
            cuda.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            cuda.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    )


def main(path, mistake=""):
    done(cuda.cuInit(0))
    device = done(cuda.cuDeviceGet(0))
    done(cuda.cuCtxSetCurrent(done(cuda.cuDevicePrimaryCtxRetain(device))))
    with open(path, "rb") as file:
        module = done(cuda.cuModuleLoadData(file.read() + b"\0"))
    kernel = done(cuda.cuModuleGetFunction(module, b"gemm"))
    random = np.random.default_rng(1)
    a, b = (random.integers(-4, 5, shape) / 4 for shape in ((M, K), (N, K)))
    device_a, device_b = to_device(bf16(a)), to_device(bf16(b))
    rows = M - 1 if mistake == "short" else M
    c = np.zeros((M, N), np.uint16)
    device_c = done(cuda.cuMemAlloc(rows * N * 2))
    box = 512 if mistake == "box" else TILE_M
    a_map = tensor_map(device_a, M, K, box, TILE_K)
    b_map = tensor_map(device_b, N, K, TILE_N, TILE_K)
    if mistake == "freed":
        done(cuda.cuMemFree(device_a))
    if mistake != "attribute":
        attribute = cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        done(cuda.cuFuncSetAttribute(kernel, attribute, SHARED_BYTES))
    grid = -(-M // TILE_M), -(-N // TILE_N), 1
    launch = [kernel, *grid, 192, 1, 1, SHARED_BYTES, 0]
    if mistake == "size":
        # The bytes of all parameters at once, but without the last one.
        buffer = np.zeros(272, np.uint8)
        size = ctypes.c_size_t(buffer.nbytes)
        pairs = [1, buffer.ctypes.data, 2, ctypes.addressof(size), 0]
        extra = (ctypes.c_void_p * 5)(*pairs)
        done(cuda.cuLaunchKernel(*launch, 0, ctypes.addressof(extra)))
    else:
        i32 = ctypes.c_int
        values = a_map, b_map, device_c, M, N, K
        types = None, None, None, i32, i32, i32
        done(cuda.cuLaunchKernel(*launch, (values, types), 0))
    done(cuda.cuCtxSynchronize())
    done(cuda.cuMemcpyDtoH(c, device_c, rows * N * 2))
    found = (c.astype(np.uint32) << 16).view(np.float32)
    exact = a @ b.T
    print("equal" if np.allclose(found, exact, rtol=2**-8, atol=0) else "different")


if len(sys.argv) not in (2, 3):
    sys.exit("usage: gemm.py PTX [box|attribute|freed|size|short]")
main(*sys.argv[1:])
