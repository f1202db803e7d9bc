"""Small launches of the kernels in tests/data/foreign, with the results that numpy expects."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt

from tcgen05_dialect.simulator import Launch, TensorMap

Array = npt.NDArray[Any]
SHARED = 227 * 1024
"""The bytes of dynamic shared memory, which the compilers do not write into the text."""
_E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])


class ForeignLaunch(NamedTuple):
    """A launch of a kernel: its arguments by number, and the expected content of arrays."""

    arguments: Mapping[int, Any]
    launch: Launch
    expected: list[tuple[Array, Array]]
    tolerance: float = 0

    def differences(self) -> list[float]:
        """The largest difference of each array, if it is larger than the tolerance."""
        pairs = [[np.asarray(each, np.float64) for each in pair] for pair in self.expected]
        found = [float(np.abs(result - wanted).max()) for result, wanted in pairs]
        limits = [self.tolerance * float(np.abs(wanted).max()) for _, wanted in pairs]
        return [each for each, limit in zip(found, limits, strict=True) if not each <= limit]


def _numbers(*shape: int, dtype: Any = np.float16, most: int = 3, seed: int = 0) -> Array:
    """Integers, whose sums of products are exact."""
    random = np.random.default_rng((seed, *shape))
    return random.integers(-most, most + 1, shape).astype(dtype)


def _tile(array: Array, *box: int) -> TensorMap:
    return TensorMap.of(array, box, swizzle="swizzle_128b")


def _product(a: Array, b: Array) -> Array:
    return a.astype(np.float64) @ b.astype(np.float64)


def _clc() -> ForeignLaunch:
    out = np.full((5, 128, 32), -1, np.float32)
    wanted = np.broadcast_to(np.arange(5)[:, None, None], out.shape)
    return ForeignLaunch({0: out}, Launch((5,), dynamic_shared_memory=SHARED), [(out, wanted)])


def _mma_max() -> ForeignLaunch:
    a, b = _numbers(128, 64), _numbers(64, 64, seed=1)
    c, d = _numbers(128, 64, dtype=np.float32, seed=2), np.zeros((128, 64), np.float32)
    wanted = _product(a, b) + c
    arguments = {0: a, 1: b, 2: c, 3: d}
    launch = Launch(dynamic_shared_memory=SHARED)
    expected = [(d, wanted), (c.reshape(-1)[:128], wanted.max(axis=1))]
    return ForeignLaunch(arguments, launch, expected)


def _scales(count: int, blocks: int, dtype: Any, seed: int) -> tuple[Array, Array]:
    """Scale factors as rows x blocks, and in the layout that copies to tensor memory need."""
    random = np.random.default_rng(seed)
    if dtype is np.uint8:
        values = random.integers(126, 130, (count, blocks)).astype(np.uint8)
        factors = values.view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
    else:
        factors = random.choice([0.5, 1, 2], (count, blocks))
        values = factors.astype(dtype).view(np.uint8)
    parts = values.reshape(count // 128, 4, 32, blocks // 4, 4).transpose(0, 3, 2, 1, 4)
    return factors, np.ascontiguousarray(parts).reshape(1, count // 128, blocks // 4, 2, 256)


def _scaled() -> ForeignLaunch:
    k = 256
    a, b = (_numbers(128, k, dtype=ml_dtypes.float8_e4m3fn, seed=each) for each in (0, 1))
    (sa, packed_a), (sb, packed_b) = (_scales(128, k // 32, np.uint8, each) for each in (2, 3))
    c = np.zeros((128, 128), np.float16)
    whole = [x.astype(np.float64) * np.repeat(s, 32, axis=1) for x, s in ((a, sa), (b, sb))]
    arguments = {
        0: _tile(a, 128, 128),
        5: _tile(b, 128, 128),
        10: TensorMap.of(packed_a, (256, 2, 1, 1, 1)),
        21: TensorMap.of(packed_b, (256, 2, 1, 1, 1)),
        32: _tile(c, 64, 128),
        37: 2,
    }
    launch = Launch(dynamic_shared_memory=SHARED)
    return ForeignLaunch(arguments, launch, [(c, (whole[0] @ whole[1].T).astype(np.float16))])


def _pair(columns: int) -> ForeignLaunch:
    """A product by a cluster of two CTAs; each loads a box of so many columns of B."""
    a, b, c = _numbers(256, 192), _numbers(192, 128, seed=1), np.zeros((256, 128), np.float16)
    maps = {0: _tile(a, 64, 128), 5: _tile(b, columns, 64), 10: _tile(c, 64, 128)}
    launch = Launch((2,), dynamic_shared_memory=SHARED)
    return ForeignLaunch({**maps, 15: 3}, launch, [(c, _product(a, b))])


def _specialised() -> ForeignLaunch:
    a, b, c = _numbers(128, 384), _numbers(384, 512, seed=1), np.zeros((128, 512), np.float16)
    maps = {0: _tile(a, 64, 128), 5: _tile(b, 64, 64), 10: _tile(c, 64, 128)}
    launch = Launch((1, 2), dynamic_shared_memory=SHARED)
    return ForeignLaunch({**maps, 15: 6}, launch, [(c, _product(a, b))])


def _attention() -> ForeignLaunch:
    n, heads, scale = 256, 1, 0.125
    random = np.random.default_rng(0)
    q, k, v = (random.normal(size=(heads * n, 64)).astype(np.float16) for _ in range(3))
    out = np.zeros_like(q)
    maps = {
        at: _tile(each, 64, 128) for at, each in zip((0, 5, 10, 15), (q, k, v, out), strict=True)
    }
    s = _product(q, k.T) * scale
    p = np.exp(s - s.max(axis=1, keepdims=True))
    wanted = _product(p, v) / p.sum(axis=1, keepdims=True)
    launch = Launch((n // 128, heads), dynamic_shared_memory=SHARED)
    return ForeignLaunch({**maps, 20: n, 21: scale}, launch, [(out, wanted)], 2e-3)


def _nvfp4() -> ForeignLaunch:
    m, n, k = 128, 256, 512
    random = np.random.default_rng(0)
    a, b = (random.integers(0, 256, (rows, k // 2)).astype(np.uint8) for rows in (m, n))
    kind = ml_dtypes.float8_e4m3fn
    (sa, packed_a), (sb, packed_b) = (_scales(x, k // 16, kind, x) for x in (m, n))
    c = np.zeros((m, n), np.float16)
    whole: list[Array] = []
    for codes, factors in ((a, sa), (b, sb)):
        values = _E2M1[np.stack((codes & 15, codes >> 4), axis=-1)].reshape(len(codes), k)
        whole.append(values * np.repeat(factors, 16, axis=1))
    arguments = {
        0: _tile(a, 128, 128),
        5: _tile(b, 128, 256),
        10: TensorMap.of(packed_a, (256, 2, 4, 1, 1)),
        21: TensorMap.of(packed_b, (256, 2, 4, 2, 1)),
        32: _tile(c, 64, 128),
        37: m,
        38: n,
        39: k,
    }
    launch = Launch(dynamic_shared_memory=SHARED)
    return ForeignLaunch(arguments, launch, [(c, (whole[0] @ whole[1].T).astype(np.float16))])


def _gather() -> ForeignLaunch:
    m, n, k = 128, 128, 128
    x, w = _numbers(200, k), _numbers(n, k, seed=1)
    y, rows = np.zeros((200, n), np.float16), np.random.default_rng(0).permutation(200)[:m]
    wanted = np.zeros((200, n))
    wanted[rows] = _product(x[rows], w.T)
    maps = {0: _tile(x, 64, 1), 5: _tile(w, 64, 128), 10: _tile(y, 64, 1)}
    launch = Launch((1, 1), dynamic_shared_memory=SHARED)
    numbers = {15: rows.astype(np.int32), 16: m, 17: n, 18: k}
    return ForeignLaunch({**maps, **numbers}, launch, [(y, wanted)])


def _host_descriptors() -> ForeignLaunch:
    m, n, k = 256, 128, 256
    a, b, c = _numbers(m, k), _numbers(n, k, seed=1), np.zeros((m, n), np.float16)
    maps = {0: _tile(a, 64, 128), 5: _tile(b, 64, 128), 10: _tile(c, 64, 128)}
    launch = Launch((2,), dynamic_shared_memory=SHARED)
    return ForeignLaunch({**maps, 15: m, 16: n, 17: k}, launch, [(c, _product(a, b.T))])


def _matmul() -> ForeignLaunch:
    m, n, k = 128, 128, 192
    a, b, c = _numbers(m, k), _numbers(k, n, seed=1), np.zeros((m, n), np.float16)
    numbers = {3: m, 4: n, 5: k, 6: k, 7: n, 8: n}
    launch = Launch((1,), dynamic_shared_memory=SHARED)
    return ForeignLaunch({0: a, 1: b, 2: c, **numbers}, launch, [(c, _product(a, b))])


def _persistent() -> ForeignLaunch:
    m, n, k = 256, 512, 192
    a, b, c = _numbers(m, k), _numbers(n, k, seed=1), np.zeros((m, n), np.float16)
    maps = {0: _tile(a, 64, 128), 5: _tile(b, 64, 256), 10: _tile(c, 64, 128)}
    launch = Launch((4,), dynamic_shared_memory=SHARED)
    return ForeignLaunch({**maps, 15: m, 16: n, 17: k}, launch, [(c, _product(a, b.T))])


LAUNCHES: Mapping[str, Callable[[], ForeignLaunch]] = {
    "gluon_clc": _clc,
    "gluon_mma_f16_ldred1_sm103": _mma_max,
    "gluon_scaled_cp_mxfp8_128x128x128": _scaled,
    "gluon_tma_2cta_f16_256x128x64": lambda: _pair(64),
    "gluon_tma_mcast2_f16_256x128x64": lambda: _pair(64),
    "gluon_ws_f16_128x256x64": _specialised,
    "triton_attn_f16_128x128_d64_ws": _attention,
    "triton_dotscaled_tma_nvfp4_128x256x256": _nvfp4,
    "triton_gather_scatter_f16": _gather,
    "triton_hostdesc_f16_256x128x64_2cta_ws": _host_descriptors,
    "triton_matmul_f16_128x128x64": _matmul,
    "triton_persistent_f16_128x256x64_ws": _persistent,
}
"""Name of a kernel -> maker of a launch."""
