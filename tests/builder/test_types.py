"""Tests of the types of buffers and of tensor maps."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import (
    IntegerType,
    Signedness,
    bf16,
    f4E2M1FN,
    f6E3M2FN,
    f8E4M3FN,
    f32,
    f64,
    i32,
    tf32,
)

from tcgen05_dialect.builder import (
    Kernel,
    accumulator,
    copied,
    matrix_a,
    metadata,
    scale_factors,
    tile,
)
from tcgen05_dialect.builder.buffers import Map

SIGNED = IntegerType(8, Signedness.SIGNED)


def test_types_of_buffers() -> None:
    assert [
        str(each)
        for each in (
            tile(64, 96, bf16),
            tile(64, 96, bf16, swizzle="no_swizzle"),
            tile(64, 128, bf16, "mn_major"),
            tile(128, 128, bf16, atom_order="mn_first"),
            tile(256, 128, f6E3M2FN),
            tile(128, 256, f4E2M1FN, packing="packed"),
            tile(8, 4, bf16),
            accumulator(128, 256, i32),
            matrix_a(128, 64, bf16),
            matrix_a(128, 64, f4E2M1FN, "packed"),
            copied(scale_factors(128, 16, f8E4M3FN)),
            copied(metadata(128, 32)),
        )
    ] == [
        "!ws.smem<64x96xbf16, k_major, swizzle_64b>",
        "!ws.smem<64x96xbf16, k_major, no_swizzle>",
        "!ws.smem<128x64xbf16, mn_major, swizzle_128b>",
        "!ws.smem<128x128xbf16, k_major, swizzle_128b, mn_first>",
        "!ws.smem<256x128xf6E3M2FN, k_major, swizzle_128b>",
        "!ws.smem<128x256xf4E2M1FN, k_major, swizzle_128b, packed>",
        "!ws.smem<8x4xbf16, k_major, no_swizzle>",
        "!tcgen05.tmem<128x256xi32>",
        "!tcgen05.tmem<128x64xbf16, a>",
        "!tcgen05.tmem<128x64xf4E2M1FN, a, packed>",
        "!ws.smem<128x16xf8E4M3FN, scale>",
        "!ws.smem<128x32xi4, metadata>",
    ]


MAPS: list[tuple[Callable[[Kernel], Map], str]] = [
    (lambda kernel: kernel.tensor_map("a", 8, 32, element=tf32), "8x32xtf32, swizzle_128b"),
    (lambda kernel: kernel.tensor_map("a", 1, 64, 64, element=SIGNED), "1x64x64xu8, swizzle_64b"),
    (lambda kernel: kernel.tensor_map("a", 8, 8, element=f32, kind="u32"), "8x8xu32, swizzle_32b"),
    (
        lambda kernel: kernel.tensor_map("a", 8, 128, element=f6E3M2FN),
        "8x128xb6x16_p32, swizzle_128b",
    ),
    (
        lambda kernel: kernel.tensor_map("a", 8, 128, element=f4E2M1FN),
        "8x128xb4x16_p64, swizzle_128b",
    ),
    (
        lambda kernel: kernel.tensor_map("a", 8, 256, element=f4E2M1FN, packing="packed"),
        "8x256xb4x16, swizzle_128b",
    ),
    (lambda kernel: kernel.block_map("a", scale_factors(256, 8)), "2x2x32x16xu8"),
    (lambda kernel: kernel.block_map("a", metadata(128, 64)), "1x2x128x16xu8"),
]


@pytest.mark.parametrize(("build", "text"), MAPS)
def test_types_of_tensor_maps(build: Callable[[Kernel], Map], text: str) -> None:
    assert str(build(Kernel("kernel")).type) == f"!ptx.tensor_map<{text}>"


WRONG: list[tuple[Callable[[], object], str]] = [
    (
        lambda: tile(64, 32, cast(Any, "f32")),
        "element must be a type of xDSL, .*; found 'f32'",
    ),
    (lambda: tile(64, 32, f64), "an element must be .*; found Float64Type"),
    (lambda: scale_factors(128, 4, bf16), "xDSL f8E8M0FNU or f8E4M3FN; found BFloat16Type"),
    (
        lambda: tile(64, 32, cast(Any, [f32])),
        r"must be a type of xDSL, .*; found \[Float32Type",
    ),
    (
        lambda: accumulator(cast(Any, 128.0), 32),
        "rows must be an int, .*; found 128.0",
    ),
    (
        lambda: copied(cast(Any, f32)),
        "matrix must be the type of a matrix in tensor memory",
    ),
    (lambda: copied(accumulator(128, 256)), "of scale factors or of metadata; found !tcgen05.tmem"),
    (lambda: tile(64, 32, f32, "k"), "major must be k_major or mn_major; found 'k'"),
    (lambda: tile(64, 32, f32, swizzle="128b"), "swizzle must be no_swizzle, .*; found '128b'"),
    (lambda: tile(64, 32, f32, atom_order="k"), "atom_order must be k_first or mn_first"),
    (lambda: matrix_a(64, 32, f4E2M1FN, "none"), "packing must be padded or packed; found 'none'"),
    (lambda: Kernel("kernel").tensor_map("a", 8, element=f32), "map a: give at least two extents"),
    (lambda: Kernel("kernel").tensor_map("a", 8, 8, element=f32, kind="f33"), "did you mean f32"),
    (
        lambda: cast(Any, Kernel("kernel")).alloc("a", f32),
        "type_ must be the type of a buffer",
    ),
    (
        lambda: Kernel("kernel").parameter("a", cast(Any, "i32")),
        "type_ must be a type of xDSL",
    ),
    (lambda: Kernel("kernel").parameter("a b"), "not begin with a digit; found 'a b'"),
    (lambda: Kernel("kernel").parameter("a", at_least=2**70), "at_least must fit into 64 bits"),
    (
        lambda: Kernel("kernel").parameter("a", f32, at_least=1),
        "at_least must be on a parameter of an integer type; found 1 on a parameter of type f32",
    ),
    (lambda: Kernel("kernel").parameter("a", at_most=2**31), "to 2147483647; found 2147483648"),
    (lambda: Kernel("kernel").parameter("a", multiple_of=0), "from 1 to 2147483647; found 0"),
    (lambda: Kernel("kernel").parameter("a", at_least=5, at_most=3), "at least 5; found 3"),
    (lambda: Kernel("kernel").parameter("a", same_array="x"), 'type i64 or .*; found "x"'),
    (lambda: Kernel("kernel").parameter("a", tile(64, 64, bf16)), "must be i16, .*; found !ws"),
    (
        lambda: Kernel("kernel").tensor_map("a", 128, 640, element=bf16),
        "each of the extents of the box must be 1 to 256; found 640",
    ),
    (lambda: Kernel("kernel").tensor_map("a", 64, 128, element=bf16), "or 128; found 256"),
    (lambda: Kernel("kernel").tensor_map("a", *[1] * 6, element=bf16), "1 to 5; found 6"),
    (
        lambda: accumulator(100, 128),
        "rows of a matrix that a product has in one CTA must be 32, 64 or 128; found 100",
    ),
    (lambda: matrix_a(256, 64, bf16), "must be 32, 64 or 128; found 256"),
    (lambda: copied(metadata(64, 64)), "must be 128 rows, .*; found 64x64"),
    (lambda: Kernel("kernel").alloc("a", accumulator(128, 1024)), "at most 512; found 1024"),
    (lambda: Kernel("kernel").ring("a", 2, tile(7, 64, bf16)), "must be .*; found 7"),
    (lambda: Kernel("kernel").ring("a", 0, tile(8, 64, bf16)), "must be 1 or more; found 0"),
    (lambda: Kernel("kernel", [17]), "a product of at most 16; found 17"),
    (lambda: Kernel("a b"), "name must be a letter followed by .*; found 'a b'"),
    (lambda: Kernel("kernel", cast(Any, 2)), "cluster must be a sequence, such as a list"),
]


@pytest.mark.parametrize(("build", "message"), WRONG)
def test_types_that_do_not_exist(build: Callable[[], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        build()
