"""Tests of tensor maps: those that the emulator makes of arrays, and those it refuses."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.simulator.machine.tensor_map import TensorMap

from ..support.copy_bench import GLOBAL, Array

BYTES = np.zeros((4, 4, 64), np.uint8)


@pytest.mark.parametrize(
    ("array", "box", "options", "text"),
    [
        (
            np.zeros((1,) * 6, "u1"),
            (16,) * 6,
            {},
            "the number of dimensions of a tensor map must be 1 to 5; found 6",
        ),
        (
            BYTES,
            (16, 1),
            {},
            "extents of the box must be 3, because the tensor has 3 dimensions; found 2",
        ),
        (
            BYTES,
            (16, 257, 1),
            {},
            "each of the extents of the box must be 1 to 256; found 257",
        ),
        (BYTES, (16, 0, 1), {}, "found 0"),
        (BYTES, (24, 1, 1), {}, "no_swizzle must be a multiple of 16, at most 2048; found 24"),
        (BYTES, (64, 4, 1), {"swizzle": "swizzle_32b"}, "16 or 32; found 64"),
        (
            BYTES,
            (32, 4, 1),
            {"swizzle": "swizzle_64b"},
            "row of the box with swizzle_64b must be 64; found 32",
        ),
        (BYTES, (32, 8, 1), {"swizzle": "swizzle_64b", "element_strides": (1, 4, 1)}, "found 32"),
        (BYTES, (64, 4, 1), {"swizzle": "128B"}, "; found 128B"),
        (
            BYTES,
            (16, 1, 1),
            {"element_strides": (1, 9, 0)},
            "each of the element strides must be 1 to 8; found 1 x 9 x 0",
        ),
        (
            BYTES,
            (16, 1, 1),
            {"fill": "nan"},
            "with fill nan must be bf16, f16, f32, f64 or tf32; found u8",
        ),
        (BYTES, (16, 1, 1), {"fill": "one"}, "zero or nan; found one"),
        (
            BYTES,
            (16, 1, 1),
            {"element": "bf16"},
            "tensor map of bf16 must be a type of 16 bits; found uint8",
        ),
        (BYTES, (16, 1, 1), {"element": "e4m3"}, "; found e4m3"),
        (
            BYTES[:, :2],
            (16, 1, 1),
            {},
            "must be C-contiguous (numpy.ascontiguousarray makes a copy ",
        ),
        (np.zeros((4, 4), "u1"), (16, 1), {}, "in bytes must be a multiple of 16, at most 10"),
        (np.zeros((), "u1"), (), {}, "must be 1 to 5; found 0"),
        (BYTES, (16.5, 1, 1), {}, "the box of a tensor map must be integers; found (16.5, 1, 1)"),
        (BYTES, 16, {}, "the box of a tensor map must be integers; found 16"),
        (BYTES.tolist(), (16, 1, 1), {}, "of a tensor map must be a numpy array; found a list"),
        (
            np.zeros((4, 32), "u1"),
            (64, 1),
            {"element": "b4x16_p64"},
            "for b4x16_p64, the innermost of the extents of the tensor must be a multiple of 128, "
            "at most 4294967296; found 64",
        ),
        (
            np.zeros((4, 64), "u1"),
            (64, 1),
            {"element": "b4x16_p64"},
            "the innermost of the extents of the box must be 128; found 64",
        ),
        (
            np.zeros(0, "u1"),
            (16,),
            {},
            "each of the extents of the tensor must be 1 to 4294967296; found 0",
        ),
        (np.zeros(16, "c8"), (16,), {}, "; found complex64"),
    ],
)
def test_map_refuses(array: Array, box: Any, options: dict[str, Any], text: str) -> None:
    with pytest.raises(Violation) as caught:
        TensorMap.of(array, box, **options)
    assert text in str(caught.value)
    assert all(part.rule.id in ("T5-SIM-012", "T5-MAP-001") for part in caught.value.parts)


def test_map_refuses_its_place() -> None:
    array = np.zeros((4, 32), np.uint8)
    with pytest.raises(
        Violation, match="bytes of a tensor must be at most 128, the bytes of its array; found 160"
    ):
        TensorMap(array, "u8", (32, 5), (32,), (32, 5), (1, 1))
    with pytest.raises(Violation, match="a multiple of 16; found 0x7f0000000008"):
        TensorMap.of(array, (32, 4)).at(GLOBAL + 8)


@pytest.mark.parametrize(
    ("dtype", "element"),
    [("int8", "u8"), ("float16", "f16"), ("float32", "f32"), ("int32", "s32"), ("uint64", "u64")],
)
def test_map_of_an_array(dtype: str, element: str) -> None:
    array = np.zeros((3, 5, 16), dtype)
    found = TensorMap.of(array, (16, 2, 1))
    size = array.itemsize
    assert (found.element, found.extents) == (element, (16, 5, 3))
    assert (found.strides, found.tile) == ((16 * size, 80 * size), (16, 2, 1))
    assert found.array is array and found.tile_bytes == 32 * size
