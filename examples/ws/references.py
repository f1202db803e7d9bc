"""The results that the launch files of this folder expect."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def scale_factors(blocks: Array, rows: int, columns: int, size: int) -> Array:
    """The factor of each element of a matrix: those of `blocks`, one for `size` elements."""
    row_blocks, column_blocks, *_ = blocks.shape
    factors = blocks.reshape(row_blocks, column_blocks, 32, 4, 4).transpose(0, 3, 2, 1, 4)
    factors = factors.reshape(row_blocks * 128, column_blocks * 4)
    return np.repeat(factors, size, axis=1)[:rows, :columns]


def mxf8(a: Array, b: Array, sa: Array, sb: Array) -> Array:
    """C of `gemm_mxf8.mlir`."""
    (m, k), n = a.shape, len(b)
    return (a * scale_factors(sa, m, k, 32)) @ (b * scale_factors(sb, n, k, 32)).T


def e2m1(packed: Array) -> Array:
    """The numbers of a matrix with two elements in each byte, the first one in its low half."""
    magnitudes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
    halves = np.stack((packed & 15, packed >> 4), axis=-1).reshape(len(packed), -1)
    return np.where(halves & 8, -1, 1) * magnitudes[halves & 7]


def ue4m3(bits: Array) -> Array:
    """The numbers with these bits: four of the exponent, and three of the mantissa."""
    exponent, mantissa = bits >> 3, bits % 8 / np.float32(8)
    return np.where(exponent, (1 + mantissa) * 2.0 ** (exponent - 7.0), mantissa * 2.0**-6)


def nvfp4(a: Array, b: Array, sa: Array, sb: Array) -> Array:
    """C of `gemm_nvfp4_pair.mlir`."""
    a, b = e2m1(a), e2m1(b)
    (m, k), n = a.shape, len(b)
    return (a * scale_factors(ue4m3(sa), m, k, 16)) @ (b * scale_factors(ue4m3(sb), n, k, 16)).T


def e3m2(packed: Array) -> Array:
    """The numbers of a matrix with four elements in three bytes, the first one in the low bits."""
    bits = np.unpackbits(packed, axis=1, bitorder="little").reshape(len(packed), -1, 6)
    codes = bits @ (1 << np.arange(6))
    sign, exponent, mantissa = codes >> 5, codes >> 2 & 7, codes % 4 / 4
    magnitude = np.where(exponent, (1 + mantissa) * 2.0 ** (exponent - 3.0), mantissa * 2.0**-2)
    return np.where(sign, -magnitude, magnitude)


def silu(a: Array, b: Array, bias: Array) -> Array:
    """C of `gemm_fp8_silu.mlir`, where numbers beyond e4m3 become the largest one."""
    x = a @ e3m2(b).T + bias
    return np.minimum(x / (1 + np.exp(-x)), 448)


def first_of_four(a: Array, b: Array) -> Array:
    """C of `gemm_sparse.mlir` if A has the first two of each four elements."""
    return a @ b.reshape(len(b), -1, 4)[:, :, :2].reshape(len(b), -1).T


def gathered(a: Array, b: Array, list: Array) -> Array:
    """C of `gemm_gather.mlir`."""
    is_row = (list >= 0) & (list < len(a))
    return np.where(is_row[:, None], a[list.clip(0, len(a) - 1)], 0) @ b.T
