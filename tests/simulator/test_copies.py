"""Tests of tcgen05.cp and tcgen05.shift in the emulator, against the golden table."""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ..support.effort import sampled
from ..support.golden_tables import Json, golden
from ..support.tensor_memory_kernel import COLUMNS, DUMP, LANES, numbered, run

Bytes = npt.NDArray[np.uint8]

TILE_BYTES = 16384
SWIZZLES = {"none": (0, 16), "128B": (2, 128), "64B": (4, 64), "32B": (6, 32)}
"""Name -> its code in a descriptor (Table 43), and the bytes of a row of the pattern."""
FILL = """
  %tile_bytes = arith.constant 128 : i32
  %c16 = arith.constant 16 : i32
  %share = arith.muli %thread, %tile_bytes : i32
  %behind_cells = arith.constant 262144 : i64
  %source = arith.addi %in, %behind_cells : i64
  scf.for %byte = %c0 to %tile_bytes step %c16 : i32 {
    %inside = arith.addi %share, %byte : i32
    %inside_wide = arith.extui %inside : i32 to i64
    %from = arith.addi %source, %inside_wide : i64
    %value:4 = ptx.ld global b32 [%from] -> 4 x i32
    %to = arith.addi %tile, %inside : i32
    ptx.st "shared::cta" b32 [%to], {%value#0, %value#1, %value#2, %value#3}
  }
  ptx.fence.proxy.async
"""
CORE = """
  scf.if %is_first {{
    %all_lanes = arith.constant -1 : i32
    %c1 = arith.constant 1 : i32
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {{
      ptx.mbarrier.init [%barrier], %c1
      ptx.fence.mbarrier_init
    }}
  }}
  ptx.tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first {{
    %all_lanes = arith.constant -1 : i32
    %leader, %elected = ptx.elect.sync %all_lanes
    scf.if %elected {{
      ptx.tcgen05.fence after_thread_sync
      {operation}
      ptx.tcgen05.commit cta_group_1 shared_cluster [%barrier]
    }}
  }}
  ptx.mbarrier.wait [%barrier], %c0
  ptx.tcgen05.fence after_thread_sync
  ptx.bar.sync %c0
  {dump}
"""


def place(row: int, byte: int, swizzle: str, leading: int, stride: int) -> int:
    """
    Where a byte of a K-major matrix lies in its tile (9.7.16.3.1, 9.7.16.10.6).

    Groups of 8 rows are `stride` bytes apart, and without a swizzle parts of 16 bytes `leading`
    bytes. Swizzling changes which 16 bytes of a row of the pattern it is by the number of the row.
    """
    _, width = SWIZZLES[swizzle]
    group, row = divmod(row, 8)
    part, byte = divmod(byte, 16)
    if swizzle == "none":
        return group * stride + part * leading + row * 16 + byte
    linear = group * stride + row * width + part * 16 + byte
    return linear ^ (linear >> 7 & (width // 16 - 1)) << 4


def copied(row: Json, data: Bytes, swizzle: str, format_: str = "") -> npt.NDArray[np.uint32]:
    """What tensor memory holds after a copy of rows of bytes to column 8, from numbered cells."""
    code, width = SWIZZLES[swizzle]
    rows, size = data.shape
    leading, stride = 128, 8 * width if width > 16 else 128 * (size // 16) + 256
    tile = np.full(TILE_BYTES, 0xA5, np.uint8)
    for r in range(rows):
        for b in range(size):
            tile[place(r, b, swizzle, leading, stride)] = data[r, b]
    first = (leading if width == 16 else 16) >> 4
    fixed = first << 16 | stride >> 4 << 32 | 1 << 46 | code << 61
    multicast = row["multicast"][1:].replace("::", "_")
    qualifiers = f"shape_{row['shape'][1:]} {multicast} {format_}"
    operation = f"""
      %address = arith.extui %tile : i32 to i64
      %four = arith.constant 4 : i64
      %start = arith.shrui %address, %four : i64
      %fixed = arith.constant {fixed - (fixed >> 63 << 64)} : i64
      %descriptor = arith.ori %start, %fixed : i64
      ptx.tcgen05.cp cta_group_1 {qualifiers} [%base + 8], %descriptor
    """
    found = run(
        FILL + CORE.format(operation=operation, dump=DUMP),
        np.concatenate([numbered().reshape(-1), tile.view(np.uint32)]),
        LANES * COLUMNS,
    )
    return found.reshape(LANES, COLUMNS)


def expected(row: Json, words: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Cells with the words of each row in all lanes that the table says."""
    cells = numbered()
    for lanes, content in zip(row["dst_lanes"], words, strict=True):
        cells[lanes, 8 : 8 + row["columns"]] = content
    return cells


COPIES = [row for row in golden("cp") if row["table"] == "cp"]
FORMATS = [row for row in golden("cp") if row["table"] == "cp_decompress"]


def identity(row: Json | str) -> str:
    if isinstance(row, str):
        return row
    return row["fmt"] if "fmt" in row else f"{row['shape']}{row['multicast']}"


def unlike(row: Json) -> Bytes:
    """Rows of which no two words are equal."""
    shape = (row["src_rows"], row["src_bytes"])
    return np.random.default_rng(7).integers(0, 256, shape, dtype=np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "swizzle"), sampled(product(COPIES, SWIZZLES), 1, of=lambda pair: pair[1]), ids=identity
)
def test_copies(row: Json, swizzle: str) -> None:
    data = unlike(row)
    words = data.view(np.uint32)
    assert len(np.unique(words)) == words.size
    assert np.array_equal(copied(row, data, swizzle), expected(row, words))


@pytest.mark.slow
@pytest.mark.parametrize(("format_", "row"), sampled(product(FORMATS, COPIES), 3), ids=identity)
def test_copies_decompress(row: Json, format_: Json) -> None:
    """Each element becomes a byte, shifted to the bits of the payload."""
    bits: int = format_["bits"]
    data = unlike(row)
    units: Any = np.unpackbits(data.reshape(-1, 16), axis=1, bitorder="little")
    elements = units[:, : 16 * bits].reshape(-1, 16, bits) @ (1 << np.arange(bits))
    words = (elements << format_["low_bit"]).astype(np.uint8).reshape(data.shape).view(np.uint32)
    assert np.array_equal(copied(row, data, "none", format_["fmt"]), expected(row, words))


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["eager", "lazy"])
@pytest.mark.parametrize(("lane", "column"), sampled([(0, 0), (32, 40), (0, 8), (96, 504)], 2))
def test_shifts(lane: int, column: int, schedule: str) -> None:
    """Row r takes row r + 1 but for the last of each warp's, in columns of 32 bytes."""
    operation = f"ptx.tcgen05.shift cta_group_1 [%base + {lane << 16 | column}]"
    found = run(
        CORE.format(operation=operation, dump=DUMP), numbered(), LANES * COLUMNS, schedule
    ).reshape(LANES, COLUMNS)
    before = numbered()
    cells = before.copy()
    for row in range(lane, LANES):
        if row % 32 != 31:
            cells[row, column : column + 8] = before[row + 1, column : column + 8]
    assert np.array_equal(found, cells)
