"""Tests of bulk copies of tensors in the emulator, against loops over elements."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
from tcgen05_dialect.reporting.diagnostics import OperationError
from tcgen05_dialect.simulator import SCHEDULES
from tcgen05_dialect.simulator.machine.tensor_map import TensorMap
from tcgen05_dialect.simulator.machine.tensor_memory import RANK_SHIFT

from ..support.copy_bench import (
    BARRIER,
    LOAD,
    MULTICAST,
    MULTICAST_PAIR,
    PAIR,
    RESERVED,
    SHARED_BYTES,
    STORE,
    TILES,
    Array,
    Bench,
    random_array,
)
from ..support.golden_tables import golden


def box_of(
    origin: Sequence[int], box: Sequence[int], steps: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """The indices of the elements that a copy moves, in the order in which a tile holds them."""
    ranges = [range(o, o + b, s) for o, b, s in zip(origin, box, steps, strict=True)]
    return product(*reversed(ranges))


def is_inside(index: tuple[int, ...], extents: Sequence[int]) -> bool:
    return all(0 <= i < e for i, e in zip(index, reversed(extents), strict=True))


def loaded(array: Array, tensor_map: TensorMap, origin: Sequence[int], fill: Any) -> Array:
    """The elements of a tile that is loaded, one after the other, without swizzling."""
    steps = (1, *tensor_map.element_strides[1:])
    return np.array(
        [
            array[index] if is_inside(index, tensor_map.extents) else fill
            for index in box_of(origin, tensor_map.box, steps)
        ],
        array.dtype,
    )


@st.composite
def copies(draw: st.DrawFn, least: int = -9) -> tuple[Array, TensorMap, tuple[int, ...]]:
    """An array, a map of a part of it, and where a box begins."""
    element, dtype = draw(
        st.sampled_from((("u8", "u1"), ("bf16", "u2"), ("s32", "i4"), ("u64", "u8")))
    )
    rank = draw(st.integers(1, 5))
    unit = 16 // np.dtype(dtype).itemsize
    padded = (unit * draw(st.integers(1, 3)), *(draw(st.integers(1, 5)) for _ in range(rank - 1)))
    array = random_array(padded[::-1], dtype)
    extents = tuple(draw(st.integers(1, extent)) for extent in padded)
    box = (unit * draw(st.integers(1, 3)), *(draw(st.integers(1, 4)) for _ in range(rank - 1)))
    steps = tuple(draw(st.sampled_from((1, 1, 2, 3, 8))) for _ in range(rank))
    strides = tuple(reversed(array.strides[:-1]))
    origin = tuple(draw(st.integers(least, 9)) for _ in range(rank))
    return array, TensorMap(array, element, extents, strides, box, steps), origin


@pytest.mark.slow
@settings(deadline=None)
@given(copies(), st.sampled_from(SCHEDULES))
def test_load(copy: tuple[Array, TensorMap, tuple[int, ...]], kind: str) -> None:
    array, tensor_map, origin = copy
    bench = Bench(tensor_map, kind=kind)
    expected = loaded(array, tensor_map, origin, 0)
    bench.expect(expected.nbytes)
    assert not bench.barrier().phases.over
    bench.run(LOAD, origin)
    assert (bench.tile(expected.nbytes).view(array.dtype) == expected).all()
    assert bench.barrier().phases.over == 1
    written = bench.cluster.ctas[0].shared.written
    assert int(written.sum()) == expected.nbytes


@pytest.mark.slow
@settings(deadline=None)
@given(copies(least=0), st.sampled_from(SCHEDULES))
def test_store(copy: tuple[Array, TensorMap, tuple[int, ...]], kind: str) -> None:
    array, tensor_map, origin = copy
    bench = Bench(tensor_map, kind=kind)
    indices = list(box_of(origin, tensor_map.box, (1, *tensor_map.element_strides[1:])))
    tile = random_array((len(indices),), array.dtype.str)[::-1].copy()
    expected = array.copy()
    for index, element in zip(indices, tile, strict=True):
        if is_inside(index, tensor_map.extents):
            expected[index] = element
    bench.fill_shared(tile.view(np.uint8))
    tensor = bench.machine.global_space.memories[0]
    tensor.written[...] = False
    bench.run(STORE, origin)
    assert (array == expected).all()
    stored = sum(is_inside(index, tensor_map.extents) for index in indices)
    assert int(tensor.written.sum()) == stored * array.itemsize


@pytest.mark.parametrize(("dtype", "bits"), [("f2", 0x7FFF), ("f4", 0x7FFFFFFF)])
def test_nan_fill(dtype: str, bits: int) -> None:
    array = np.ones((4, 8), dtype)
    bench = Bench(TensorMap.of(array, (8, 2), fill="nan"))
    bench.run(LOAD, (-3, 3))
    tile = bench.tile(2 * 8 * array.itemsize).view(dtype).reshape(2, 8)
    expected = [[x < 3 or y == 1 for x in range(8)] for y in range(2)]
    assert (np.isnan(tile) == expected).all()
    word = tile.view(f"u{array.itemsize}")
    assert (word[np.array(expected)] == bits).all()
    assert (tile[~np.array(expected)] == 1).all()


def test_load_rounds_to_tf32() -> None:
    array = random_array((8, 64), "u4")
    array[0, :3] = 0x7F800000, 0xFF800000, 0x7FFFFFFF
    array[1, :4] = 0x3F801000, 0x3F803000, 0x3F801001, 0x00000FFF
    bench = Bench(TensorMap.of(array.view("f4"), (72, 8), "tf32"))
    bench.run(LOAD, (-4, 0))
    tile = bench.tile(72 * 8 * 4).view("u4").reshape(8, 72)
    for y in range(8):
        for x in range(72):
            inside = 4 <= x < 68
            bits = int(array[y, x - 4]) if inside else 0
            if bits & 0x7FFFFFFF > 0x7F800000:
                assert int(tile[y, x]) & 0x7FFFFFFF > 0x7F800000
            else:
                assert tile[y, x] == (bits + 0xFFF + (bits >> 13 & 1)) & ~0x1FFF


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize(
    ("swizzle", "major"),
    [
        ("no_swizzle", "k_major"),
        ("swizzle_32b", "k_major"),
        ("swizzle_64b", "k_major"),
        ("swizzle_128b", "k_major"),
        ("swizzle_128b_atom_32b", "mn_major"),
    ],
)
def test_swizzled_tile(bits: int, swizzle: str, major: str) -> None:
    """A box as wide as the swizzle atom is the layout that the matrix instructions read."""
    width = {"no_swizzle": 16, "swizzle_32b": 32, "swizzle_64b": 64}.get(swizzle, 128)
    rows, columns = 24, width * 8 // bits
    array = random_array((30, 2 * columns), f"u{bits // 8}")
    tensor_map = TensorMap.of(array, (columns, rows), swizzle=swizzle)
    bench = Bench(tensor_map)
    bench.run(LOAD, (columns, 3))
    tile = bench.tile(rows * width).view(array.dtype)
    extents = (rows, columns) if major == "k_major" else (columns, rows)
    layout = SharedMemoryLayout(*extents, bits, major, swizzle)
    for row in range(rows):
        for column in range(columns):
            place = (row, column) if major == "k_major" else (column, row)
            found = tile[layout.byte_offset(*place) * 8 // bits]
            assert found == array[3 + row, columns + column]
    again = np.zeros_like(array)
    array[...] = 0
    bench.run(STORE, (columns, 3))
    for row in range(rows):
        for column in range(columns):
            place = (row, column) if major == "k_major" else (column, row)
            again[3 + row, columns + column] = tile[layout.byte_offset(*place) * 8 // bits]
    assert (array == again).all()


@pytest.mark.parametrize("swizzle", ["swizzle_32b", "swizzle_64b", "swizzle_128b"])
@pytest.mark.parametrize("phase", range(8))
def test_swizzle_goes_by_the_address(swizzle: str, phase: int) -> None:
    """Bits 4 to 6 of an address are crossed with bits 7 to 9, as many as the swizzle has."""
    bits = {"swizzle_32b": 1, "swizzle_64b": 2, "swizzle_128b": 3}[swizzle]
    width = 16 << bits
    array = random_array((16, width), "u1")
    bench = Bench(TensorMap.of(array, (width, 16), swizzle=swizzle))
    address = TILES + 128 * phase
    bench.run(LOAD, (0, 0), address)
    for row in range(16):
        for column in range(width):
            linear = address + row * width + column
            swizzled = linear ^ (linear >> 7 & (1 << bits) - 1) << 4
            assert bench.tile(1, swizzled)[0] == array[row, column]


def test_row_narrower_than_the_swizzle() -> None:
    array = random_array((4, 128), "u1")
    bench = Bench(TensorMap.of(array, (48, 2), None, "swizzle_128b", element_strides=(1, 2)))
    bench.run(LOAD, (16, 2), TILES + 5 * 128)
    for column in range(48):
        linear = TILES + 5 * 128 + column
        assert bench.tile(1, linear ^ 5 << 4)[0] == array[2, 16 + column]
    assert int(bench.cluster.ctas[0].shared.written.sum()) == 48


_SWIZZLES = {
    "NONE": "no_swizzle",
    "32B": "swizzle_32b",
    "64B": "swizzle_64b",
    "128B": "swizzle_128b",
    "128B_32B_ATOM": "swizzle_128b_atom_32b",
}


@pytest.mark.slow
def test_golden_layouts() -> None:
    """Atoms loaded one by one, each where the tables have it, make up the whole tile."""
    for row in golden("swizzle"):
        packed = max(1, 8 // row["bits"])
        bits = row["bits"] * packed
        rows, columns = ("mn", "k") if row["major"] == "K" else ("k", "mn")
        extent = {name: row[f"tile_{name}"] for name in ("mn", "k")}
        atom = {name: row[f"atom_{name}"] for name in ("mn", "k")}
        array = random_array((extent[rows], extent[columns] // packed), f"u{bits // 8}")
        box = (atom[columns] // packed, atom[rows])
        bench = Bench(TensorMap.of(array, box, swizzle=_SWIZZLES[row["swizzle"]]))
        atom_bytes = atom["mn"] * atom["k"] * row["bits"] // 8
        along_mn = extent["mn"] // atom["mn"]
        for k in range(extent["k"] // atom["k"]):
            for mn in range(along_mn):
                at = {"mn": mn * atom["mn"], "k": k * atom["k"]}
                address = TILES + (k * along_mn + mn) * atom_bytes
                bench.run(LOAD, (at[columns] // packed, at[rows]), address)
        tile = bench.tile(array.nbytes).view(array.dtype)
        for mn in range(extent["mn"]):
            for k in range(0, extent["k"], packed):
                place = (mn, k // packed) if row["major"] == "K" else (k, mn)
                assert tile[row["off"][mn][k] // packed] == array[place]


def test_every_active_lane_copies() -> None:
    array = random_array((16,), "u1")
    bench = Bench(TensorMap.of(array, (16,)))
    bench.run(LOAD, (0,), lanes=range(32), tile_step=128)
    assert bench.barrier().bytes == -32 * 16
    assert (bench.tile(32 * 128).reshape(32, 128)[:, :16] == array).all()


@pytest.mark.parametrize("kind", SCHEDULES)
def test_multicast(kind: str) -> None:
    array = random_array((8, 32), "u1")
    bench = Bench(TensorMap.of(array, (32, 4)), ctas=4, kind=kind)
    bench.run(MULTICAST, (16, 6), mask=0b1101, rank=1)
    expected = [array[y, x] if y < 8 and x < 32 else 0 for y in range(6, 10) for x in range(16, 48)]
    for rank, receives in enumerate((True, False, True, True)):
        assert bench.barrier(rank).bytes == -128 * receives
        assert (bench.tile(128, rank=rank) == (expected if receives else 0)).all()


def test_pair() -> None:
    """The barrier object may be that of the peer."""
    array = random_array((64,), "u1")
    bench = Bench(TensorMap.of(array, (64,)), ctas=2)
    bench.run(PAIR, (0,), rank=1, barrier=BARRIER - (1 << RANK_SHIFT))
    assert (bench.tile(64, rank=1) == array).all() and not bench.tile(64).any()
    assert (bench.barrier(0).bytes, bench.barrier(1).bytes) == (-64, 0)
    bench.run(PAIR, (0,), rank=1)
    assert (bench.barrier(0).bytes, bench.barrier(1).bytes) == (-64, -64)


def test_multicast_of_a_pair() -> None:
    """In each pair the CTA is signalled that is as even or odd as that of the barrier object."""
    array = random_array((64,), "u1")
    bench = Bench(TensorMap.of(array, (64,)), ctas=4)
    bench.run(MULTICAST_PAIR, (0,), mask=0b0111, rank=3, barrier=BARRIER - (1 << RANK_SHIFT))
    assert [bench.barrier(rank).bytes for rank in range(4)] == [-128, 0, -64, 0]
    assert [bool(bench.tile(64, rank=rank).any()) for rank in range(4)] == [True, True, True, False]


def test_prefetches_do_nothing() -> None:
    array = random_array((16,), "u1")
    bench = Bench(TensorMap.of(array, (16,)))
    body = "ptx.prefetch.tensormap [%map]\nptx.cp.async.bulk.prefetch.tensor %map, {ORIGIN}"
    bench.run(body, (0,))
    assert not bench.cluster.ctas[0].shared.written.any()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"tensor_map": 5}, "no tensor map is at 0x5 [T5-SIM-012]"),
        ({"origin": (0, 0)}, "the copy has 2 coordinates, but the rank of the tensor map is 1"),
        ({"tile": TILES + 64}, "must be aligned to 128 bytes; found"),
        ({"tile": RESERVED + SHARED_BYTES}, "[T5-SIM-002]"),
        ({"barrier": BARRIER + 8}, "no mbarrier is initialised at byte 8 of CTA 0"),
        (
            {"barrier": BARRIER + (1 << RANK_SHIFT)},
            "the copy goes to CTA (0, 0, 0), but its mbarrier is in CTA (1, 0, 0)",
        ),
    ],
)
def test_load_refuses(arguments: dict[str, Any], text: str) -> None:
    bench = Bench(TensorMap.of(random_array((256,), "u1"), (256,)), ctas=2)
    given: dict[str, Any] = {"origin": (0,), **arguments}
    with pytest.raises(OperationError) as caught:
        bench.run(LOAD, **given)
    assert text in str(caught.value)


def test_signals_refuse() -> None:
    bench = Bench(TensorMap.of(random_array((16,), "u1"), (16,)), ctas=3)
    with pytest.raises(OperationError, match=r"a cluster of 3 CTAs .* found 8 \[T5-PTX-079\]"):
        bench.run(MULTICAST_PAIR, (0,), mask=8)
    with pytest.raises(OperationError, match=r"CTA \(2, 0, 0\) is in no CTA pair"):
        bench.run(MULTICAST_PAIR, (0,), mask=4, rank=1)
    with pytest.raises(OperationError, match=r"goes to .*, but its mbarrier is in "):
        bench.run(PAIR, (0,), barrier=BARRIER + (2 << RANK_SHIFT))


def test_store_refuses() -> None:
    bench = Bench(TensorMap.of(random_array((16,), "u1"), (16,)), ctas=2)
    with pytest.raises(OperationError, match=r"were never written \[T5-SIM-013\]"):
        bench.run(STORE, (8,))
    bench.machine.tasks.clear()
    with pytest.raises(
        OperationError, match=r"executes the copy, but it reads CTA 1 \[T5-SIM-002\]"
    ):
        bench.run(STORE, (0,), tile=TILES + (1 << RANK_SHIFT))
    with pytest.raises(OperationError, match=r"a store cannot begin at \(-1,\)"):
        bench.run(STORE, (-1,))


def test_load_of_what_was_never_written() -> None:
    bench = Bench(TensorMap.of(random_array((32,), "u1"), (16,)))
    bench.machine.global_space.memories[0].written[20] = False
    bench.run(LOAD, (4,))
    with pytest.raises(OperationError, match=r"bytes of tensor that were never written"):
        bench.run(LOAD, (5,))
