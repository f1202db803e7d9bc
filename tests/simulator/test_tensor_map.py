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
            "4 or 5; found 6",
        ),
        (BYTES, (16, 1), {}, "number of extents of the box of a tensor map must be 3; found 2 [T5"),
        (BYTES, (16, 257, 1), {}, "each one of 1, 2, ... 256; found 16, 257, 1"),
        (BYTES, (16, 0, 1), {}, "found 16, 0, 1"),
        (BYTES, (24, 1, 1), {}, "no_swizzle of a tensor map must be 16, 32, ... 2048; found 24"),
        (BYTES, (64, 4, 1), {"swizzle": "swizzle_32b"}, "16 or 32; found 64"),
        (BYTES, (32, 4, 1), {"swizzle": "swizzle_64b"}, "emulator supports no others; found 32"),
        (BYTES, (32, 8, 1), {"swizzle": "swizzle_64b", "element_strides": (1, 4, 1)}, "found 32"),
        (BYTES, (64, 4, 1), {"swizzle": "128B"}, "; found 128B"),
        (BYTES, (16, 1, 1), {"element_strides": (1, 9, 0)}, "; found 1, 9, 0"),
        (
            BYTES,
            (16, 1, 1),
            {"fill": "nan"},
            "; found nan for u8",
        ),
        (BYTES, (16, 1, 1), {"fill": "one"}, "zero or nan; found one"),
        (BYTES, (16, 1, 1), {"element": "bf16"}, "found bf16 in an array of uint8"),
        (BYTES, (16, 1, 1), {"element": "e4m3"}, "; found e4m3"),
        (BYTES[:, :2], (16, 1, 1), {}, "a C-contiguous array; found an array with gaps"),
        (np.zeros((4, 4), "u1"), (16, 1), {}, "; found 4"),
        (np.zeros(0, "u1"), (16,), {}, "extents of a tensor map must be each one of 1,"),
        (np.zeros(16, "c8"), (16,), {}, "; found complex64"),
    ],
)
def test_map_refuses(
    array: Array, box: tuple[int, ...], options: dict[str, Any], text: str
) -> None:
    with pytest.raises(Violation) as caught:
        TensorMap.of(array, box, **options)
    assert text in str(caught.value)
    assert all(part.rule.id == "T5-SIM-012" for part in caught.value.parts)


def test_map_refuses_its_place() -> None:
    array = np.zeros((4, 32), np.uint8)
    with pytest.raises(Violation, match="found 160 bytes in an array of 128"):
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
