"""Tests of bulk copies of packed elements of 4 and 6 bits, against loops over elements."""

from collections.abc import Iterator, Sequence
from itertools import product, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.reporting.diagnostics import OperationError
from tcgen05_dialect.simulator import SCHEDULES
from tcgen05_dialect.simulator.launch.launch_file import read_launches
from tcgen05_dialect.simulator.machine.tensor_map import TensorMap

from ..support.copy_bench import (
    GLOBAL,
    LOAD,
    MULTICAST,
    RESERVED,
    STORE,
    TILES,
    Array,
    Bench,
    random_array,
)

LAYOUTS = {"b4x16": (4, 8), "b4x16_p64": (4, 16), "b6x16_p32": (6, 16)}
"""Bits of an element, and bytes of shared memory for 16 of them (5.5.1.1)."""
SWIZZLES = {
    "no_swizzle": (0, 4),
    "swizzle_32b": (1, 4),
    "swizzle_64b": (2, 4),
    "swizzle_128b": (3, 4),
    "swizzle_128b_atom_32b": (2, 5),
}
"""How many of the bits of an address from bit 7 on are crossed with those from which one on."""


def bits_of(content: Array) -> Array:
    """The bits of bytes, the lowest of each first."""
    return np.unpackbits(content, axis=-1, bitorder="little")


Copied = tuple[Array, TensorMap, tuple[int, ...]]


@st.composite
def copies(draw: st.DrawFn, elements: Sequence[str], least: int = -2) -> Copied:
    """An array, a map of a part of it, and where a box begins."""
    element = draw(st.sampled_from(elements))
    bits, _ = LAYOUTS[element]
    outer = draw(st.integers(0, 3))
    if element == "b4x16":
        extent, step = 2 * draw(st.integers(1, 80)), 2 * draw(st.integers(1, 3))
        box = 32 * draw(st.integers(1, 4))
    else:
        extent, step, box = 128 * draw(st.integers(1, 2)), 128, 128
    row = -(-extent * bits // 8 // 32) * 32 + 32 * draw(st.integers(0, 1))
    padded = tuple(draw(st.integers(1, 4)) for _ in range(outer))
    array = random_array((*padded[::-1], row), "u1")
    extents = (extent, *(draw(st.integers(1, e)) for e in padded))
    boxes = (box, *(draw(st.integers(1, 4)) for _ in range(outer)))
    steps = tuple(draw(st.sampled_from((1, 1, 2, 3))) for _ in range(1 + outer))
    strides = tuple(reversed(array.strides[:-1]))
    origin = tuple(draw(st.integers(least, 3)) for _ in range(1 + outer))
    tensor_map = TensorMap(array, element, extents, strides, boxes, steps)
    return array, tensor_map, (origin[0] * step, *origin[1:])


def rows_of(tensor_map: TensorMap, origin: Sequence[int]) -> list[tuple[int, ...]]:
    """The indices, outermost first, of the rows that a copy moves."""
    parts = zip(origin[1:], tensor_map.box[1:], tensor_map.element_strides[1:], strict=True)
    return list(product(*reversed([range(o, o + box, step) for o, box, step in parts])))


def has_row(tensor_map: TensorMap, row: tuple[int, ...]) -> bool:
    return all(0 <= i < e for i, e in zip(row, reversed(tensor_map.extents[1:]), strict=True))


def elements(
    tensor_map: TensorMap, origin: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...], slice, bool]]:
    """For each element that a copy moves: which one of the tile it is, the row of the array and the
    bits there that hold it, and whether the tensor has it."""
    bits, _ = LAYOUTS[tensor_map.element]
    columns = range(origin[0], origin[0] + tensor_map.box[0])
    for index, (row, x) in enumerate(product(rows_of(tensor_map, origin), columns)):
        is_inside = has_row(tensor_map, row) and 0 <= x < tensor_map.extents[0]
        yield index, row, slice(bits * x, bits * x + bits), is_inside


@pytest.mark.slow
@settings(deadline=None)
@given(copies(tuple(LAYOUTS)), st.sampled_from(SCHEDULES))
def test_load(copy: Copied, kind: str) -> None:
    array, tensor_map, origin = copy
    bits, unit = LAYOUTS[tensor_map.element]
    count = len(rows_of(tensor_map, origin)) * tensor_map.box[0]
    size, packed = count // 16 * unit, count * bits // 8
    source, tile, written = bits_of(array), *np.zeros((2, 8 * size), np.uint8)
    for index, row, columns, is_inside in elements(tensor_map, origin):
        at = index // 16 * 8 * unit + index % 16 * bits
        written[at : at + bits] = 1
        if is_inside:
            tile[at : at + bits] = source[row][columns]
    bench = Bench(tensor_map, kind=kind)
    # What lies in the padding before the load does not count as written after it.
    bench.fill_shared(np.full(size, 0xFF, np.uint8))
    bench.expect(packed)
    assert not bench.barrier().phases.over
    bench.run(LOAD, origin)
    assert bench.barrier().phases.over == 1
    assert bench.machine.statistics.bytes_loaded == packed
    found = bench.cluster.ctas[0].shared.written
    assert int(found.sum()) == packed
    is_written = written[::8] == 1
    assert (found[TILES - RESERVED :][:size] == is_written).all()
    expected = np.packbits(tile, bitorder="little")
    assert (bench.tile(size)[is_written] == expected[is_written]).all()


@pytest.mark.slow
@settings(deadline=None)
@given(copies(("b4x16", "b6x16_p32"), least=0), st.sampled_from(SCHEDULES))
def test_store(copy: Copied, kind: str) -> None:
    """In a store b6x16_p32 is b6p2x16: each byte has one element, in its low bits."""
    array, tensor_map, origin = copy
    bits, unit = LAYOUTS[tensor_map.element]
    count = len(rows_of(tensor_map, origin)) * tensor_map.box[0]
    tile = random_array((count // 16 * unit,), "u1")[::-1].copy()
    source, target = bits_of(tile), bits_of(array)
    step, stored = 8 * unit // 16, 0
    for index, row, columns, is_inside in elements(tensor_map, origin):
        if is_inside:
            target[row][columns] = source[step * index :][:bits]
            stored += bits
    bench = Bench(tensor_map, kind=kind)
    bench.fill_shared(tile)
    tensor = bench.machine.global_space.memories[0]
    tensor.written[...] = False
    bench.run(STORE, origin)
    assert (array == np.packbits(target, axis=-1, bitorder="little")).all()
    assert int(tensor.written.sum()) == stored // 8


@pytest.mark.parametrize(
    ("element", "swizzle", "width"),
    [
        *zip(repeat("b4x16"), SWIZZLES, (48, 32, 64, 128, 128), strict=False),
        *product(("b4x16_p64", "b6x16_p32"), ("no_swizzle", *list(SWIZZLES)[3:]), (128,)),
    ],
)
@pytest.mark.parametrize("phase", [0, 3])
def test_swizzle(element: str, swizzle: str, width: int, phase: int) -> None:
    """Padding is swizzled with the elements before it; stores find what loads have put there."""
    bits, unit = LAYOUTS[element]
    columns, (crossed, first) = 16 * width // unit, SWIZZLES[swizzle]
    array = random_array((20, 2 * columns * bits // 8), "u1")
    bench = Bench(TensorMap.of(array, (columns, 16), element, swizzle))
    address = TILES + 128 * phase
    bench.run(LOAD, (columns, 3), address)
    payload, per_row = 16 * bits // 8, columns // 16
    for row, group in product(range(16), range(per_row)):
        linear = address + row * width + group * unit
        swizzled = linear ^ (linear >> 7 & (1 << crossed) - 1) << first
        expected = array[3 + row, (per_row + group) * payload :][:payload]
        assert (bench.tile(payload, swizzled) == expected).all()
    if element == "b4x16":
        before = array.copy()
        array[...] = 0
        bench.run(STORE, (columns, 3), address)
        assert (array[3:19, columns // 2 :] == before[3:19, columns // 2 :]).all()
        assert int((array != 0).sum()) == 16 * columns // 2


def test_stores_of_6_bits_are_swizzled() -> None:
    array = np.zeros((8, 96), np.uint8)
    bench = Bench(TensorMap.of(array, (128, 8), "b6x16_p32", "swizzle_128b"))
    tile = random_array((8, 128), "u1")
    for row, column in product(range(8), range(128)):
        linear = TILES + 128 * row + column
        bench.fill_shared(tile[row, column : column + 1], linear ^ (linear >> 7 & 7) << 4)
    bench.run(STORE, (0, 0))
    expected = bits_of(tile).reshape(8, 128, 8)[..., :6].reshape(8, -1)
    assert (array == np.packbits(expected, axis=-1, bitorder="little")).all()


@pytest.mark.parametrize(("element", "packed"), [("b4x16_p64", 64), ("b6x16_p32", 96)])
def test_multicast(element: str, packed: int) -> None:
    """Bytes complete on each barrier object without the padding."""
    array = random_array((4, packed), "u1")
    bench = Bench(TensorMap.of(array, (128, 4), element), ctas=4, kind="random")
    bench.run(MULTICAST, (0, 2), mask=0b1101, rank=1)
    expected = np.zeros((4, 8, packed // 8), np.uint8)
    expected[:2] = array[2:].reshape(2, 8, -1)
    for rank, receives in enumerate((True, False, True, True)):
        assert bench.barrier(rank).bytes == -4 * packed * receives
        tile = bench.tile(512, rank=rank).reshape(4, 8, 16)
        assert (tile[..., : packed // 8] == expected * receives).all()


def bench_of(element: str, row: int = 192) -> Bench:
    return Bench(TensorMap.of(random_array((2, row), "u1"), (128, 2), element))


@pytest.mark.parametrize("element", LAYOUTS)
def test_coordinates(element: str) -> None:
    step = 2 if element == "b4x16" else 128
    for origin in (step - 1, -1, step // 2 + step):
        with pytest.raises(OperationError) as caught:
            bench_of(element).run(LOAD, (origin, 0))
        legal = f"a multiple of {step}; found {origin} [T5-SIM-012]"
        assert f"for {element}, the innermost coordinate of a box must be {legal}" in str(
            caught.value
        )
    bench_of(element).run(LOAD, (-step, 1))


def test_stores_that_there_are_not() -> None:
    bench = bench_of("b4x16_p64")
    bench.fill_shared(np.zeros(256, np.uint8))
    with pytest.raises(OperationError) as caught:
        bench.run(STORE, (0, 0))
    assert "b4x16_p64 cannot be stored; a store supports u8, u16, " in str(caught.value)
    assert "f64, b4x16, b6x16_p32 [T5-SIM-012]" in str(caught.value)


def test_what_was_loaded_with_padding_has_bytes_that_a_store_lacks() -> None:
    bench = bench_of("b6x16_p32")
    bench.run(LOAD, (0, 0))
    with pytest.raises(OperationError, match=r"that were never written \[T5-SIM-013\]"):
        bench.run(STORE, (0, 0))


@pytest.mark.parametrize("missing", [0, 17, 255])
def test_a_store_reads_all_bytes_of_the_tile(missing: int) -> None:
    bench = bench_of("b6x16_p32")
    bench.fill_shared(np.zeros(256, np.uint8))
    bench.cluster.ctas[0].shared.written[TILES - RESERVED + missing] = False
    with pytest.raises(OperationError, match=r"that were never written \[T5-SIM-013\]"):
        bench.run(STORE, (0, 0))


@pytest.mark.parametrize(
    ("array", "box", "element", "options", "text"),
    [
        (
            (2, 64),
            (128, 2),
            "b4x16_p64",
            {"dtype": "u2"},
            "map of b4x16_p64 must be a type of 8 bits; found uint16",
        ),
        (
            (2, 64),
            (64, 2),
            "b4x16_p64",
            {},
            "for b4x16_p64, the innermost of the extents of the box must be 128; found 64",
        ),
        (
            (2, 96),
            (256, 2),
            "b6x16_p32",
            {},
            "for b6x16_p32, the innermost of the extents of the box must be 128; found 256",
        ),
        ((2, 32), (33, 2), "b4x16", {}, "must be a multiple of 2, at most 256; found 33"),
        ((2, 32), (16, 2), "b4x16", {}, "; found 8"),
        ((2, 96), (128, 2), "b4x16_p64", {}, "; found 192"),
        (
            (97,),
            (128,),
            "b6x16_p32",
            {},
            "must be a multiple of 128, at most 4294967296; found 129",
        ),
        ((), (), "b4x16_p64", {}, "; found 0"),
        (
            (3, 48),
            (32, 3),
            "b4x16",
            {"fill": "nan"},
            "with fill nan must be bf16, f16, f32, f64 or tf32; found b4x16",
        ),
        (
            (2, 64),
            (128, 2),
            "b4x16_p64",
            {"swizzle": "swizzle_64b"},
            "; found swizzle_64b",
        ),
        ((2, 64), (128, 1), "b4x16", {"swizzle": "swizzle_32b"}, "16 or 32; found 64"),
        (
            (2, 64),
            (128, 1),
            "b6p2x16",
            {},
            "b4x16_p64 or b6x16_p32; found b6p2x16 [T5-SIM-012]",
        ),
    ],
)
def test_map_refuses(
    array: tuple[int, ...], box: tuple[int, ...], element: str, options: dict[str, Any], text: str
) -> None:
    zeros = np.zeros(array, options.pop("dtype", "u1"))
    with pytest.raises(Violation) as caught:
        TensorMap.of(zeros, box, element, **options)
    assert text in str(caught.value)
    assert all(part.rule.id in ("T5-SIM-012", "T5-MAP-001") for part in caught.value.parts)


@pytest.mark.parametrize("element", LAYOUTS)
def test_alignment(element: str) -> None:
    """Of the tensor and its strides: 32 bytes where there is padding, and 16 elsewhere."""
    array = np.zeros(512, np.uint8)
    loose = element == "b4x16"
    for stride, place in ((112, GLOBAL), (128, GLOBAL + 16)):
        arguments = array, element, (128, 2), (stride,), (128, 2), (1, 1)
        if loose:
            TensorMap(*arguments).at(place)
        else:
            with pytest.raises(Violation, match=f"found {stride}|must be a multiple of 32"):
                TensorMap(*arguments).at(place)
    TensorMap(array, element, (128, 2), (128,), (128, 2), (1, 1)).at(GLOBAL + 32)


def test_map_of_an_array() -> None:
    found = TensorMap.of(np.zeros((3, 5, 192), np.uint8), (128, 2, 3), "b6x16_p32")
    assert (found.extents, found.strides) == ((256, 5, 3), (192, 960))
    assert (found.tile, found.tile_bytes) == ((128, 2, 3), 96 * 6)
    assert found.tensor_bytes == found.array.nbytes


LAUNCH_FILE = """
args = ["a_map"]
[arrays.a]
shape = [4, 192]
type = "u8"
fill = "random"
[maps.a_map]
array = "a"
box = [128, 2]
element = "b6x16_p32"
"""


def test_map_of_a_launch_file(tmp_path: Path) -> None:
    path = tmp_path / "packed.toml"
    path.write_text(LAUNCH_FILE)
    ((_, launch),) = read_launches(path, {}, {}, 0, lambda kernel: [])
    (found,) = launch.arguments
    assert isinstance(found, TensorMap)
    assert (found.element, found.extents) == ("b6x16_p32", (256, 4))
