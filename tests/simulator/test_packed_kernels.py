"""Tests of kernels that multiply elements of 4 and 6 bits: TMA reads them packed."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.mma_reference import BITS, Array, draw

MLIR = {"e4m3": "f8E4M3FN", "e2m3": "f6E2M3FN", "e3m2": "f6E3M2FN", "e2m1": "f4E2M1FN"}
ELEMENTS = {4: "b4x16_p64", 6: "b6x16_p32", 8: "u8"}
M, N, K = 100, 120, 256
"""Rows of A and of B, of which a tile has 128, and two blocks of 128 along K."""
TILE = 128
STEPS = 4
"""Instructions along K of a block, with 32 elements each."""

KERNEL = """
!a = !tcgen05.smem_descriptor<128x128x{a_type}, k_major, swizzle_128b>
!b = !tcgen05.smem_descriptor<128x128x{b_type}, k_major, swizzle_128b>
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x256xf32>
!d = !tcgen05.tmem<128x128xf32>
!scales = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!chunk = !tcgen05.tmem<32x8xf32>

ptx.shared_memory @tiles alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4

ptx.kernel @multiply(
    %a_map : !ptx.tensor_map, %b_map : !ptx.tensor_map,
    %a_scales_map : !ptx.tensor_map, %b_scales_map : !ptx.tensor_map, %out : i64
) attributes {{reqntid = array<i32: 128, 1, 1>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %warp_lanes = arith.constant 96 : i32
  %block = arith.constant 128 : i32
  %columns = arith.constant 256 : i32
  %row_bytes = arith.constant 512 : i32
  %bytes = arith.constant {bytes} : i32
  %true = arith.constant true
  %false = arith.constant false
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %first_lane = arith.andi %thread, %warp_lanes : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi eq, %first_lane, %c0 : i32
  scf.if %is_first_warp {{
    tcgen05.alloc %slot, %columns
  }}
  scf.if %is_first {{
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }}
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %all = tcgen05.load_address %slot : !all
  %d = tcgen05.slice %all[0, 0] : !all to !d
  scf.if %is_first {{
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
{loads}
    ptx.mbarrier.wait [%loaded], %c0
{products}
    tcgen05.commit %multiplied
  }}
  ptx.bar.sync %c0
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  %row = ptx.mad.wide u32 %thread, %row_bytes, %out
  scf.for %column = %c0 to %block step %c8 : i32 {{
    %chunk = tcgen05.slice %d[%first_lane, %column] : !d to !chunk
    %v:8 = tcgen05.ld shape_32x32b x8 %chunk : !chunk
    tcgen05.wait ld
    %size = arith.constant 4 : i32
    %to = ptx.mad.wide u32 %column, %size, %row
    ptx.st global b32 [%to], {{%v#0, %v#1, %v#2, %v#3}}
    ptx.st global b32 [%to + 16], {{%v#4, %v#5, %v#6, %v#7}}
  }}
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first_warp {{
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %all, %columns : !all
  }}
  ptx.ret
}}
"""


def loads(scaled: bool) -> str:
    """Two tiles of A, two of B, and the scale factors of each."""
    parts = [("tile", "map", TILE, TILE * TILE), ("scales_tile", "scales_map", 16, 512)]
    place, lines = 0, list[str]()
    for (tile, source, extent, size), name, block in product(parts[: 1 + scaled], "ab", range(2)):
        to, origin = f"%{name}_{tile}{block}", f"%origin_{name}_{tile}{block}"
        lines += [
            f"{to} = ptx.address_of @tiles + {place}",
            f"{origin} = arith.constant {block * extent} : i32",
            f"ptx.cp.async.bulk.tensor.load [{to}], %{name}_{source}, {{{origin}, %c0}}, [%loaded]",
        ]
        place += size
    return "\n".join(lines)


def products(kind: str, elements: dict[str, str], scaled: bool) -> str:
    """The copies of the scale factors, and the products."""
    lines: list[str] = []
    pair = " x ".join(elements.values())
    for block, name in product(range(K // TILE), elements):
        lines.append(f"%{name}{block}_0 = tcgen05.descriptor %{name}_tile{block} : !{name}")
        if scaled:
            scales, column = f"%{name}_scales{block}", TILE + 8 * block + 4 * (name == "b")
            lines += [
                f"{scales} = tcgen05.slice %all[0, {column}] : !all to !scales",
                f"{scales}_source = tcgen05.descriptor %{name}_scales_tile{block} : !source",
                f"tcgen05.cp {scales}, {scales}_source "
                '{shape = "shape_32x128b", multicast = "warpx4"} : !scales, !source',
            ]
    for block, step in product(range(K // TILE), range(STEPS)):
        types: list[str] = []
        for name, element in elements.items():
            k, tile = f", k = {32 * step}" * (step > 0), f"%{name}{block}"
            lines += [f"{tile}_{step} = tcgen05.advance {tile}_0{k} : !{name}"] * (step > 0)
            layout = f"{MLIR[element]}, k_major, swizzle_128b{k}"
            types.append(f"!tcgen05.smem_descriptor<128x128x{layout}>")
        ids = f", scale_type ue8m0, sfa_id {step}, sfb_id {step}" * scaled
        lines.append(
            f"tcgen05.mma{'.block_scale' * scaled} %d, %a{block}_{step}, %b{block}_{step}"
            + f" scales %a_scales{block}, %b_scales{block}" * scaled
            + f" accumulate %{'true' if block + step else 'false'} "
            + f"{{idesc = #tcgen05.idesc<{kind}, {pair} -> f32, 128x128{ids}>}} : "
            + ", ".join(["!d", *types, *["!scales"] * 2 * scaled])
        )
    return "\n".join(lines)


def packed(bits: Array, width: int) -> Array:
    """Rows of elements as rows of bytes, the first element in the lowest bits."""
    each = bits[..., None] >> np.arange(width, dtype=np.uint64) & np.uint64(1)
    flat = each.reshape(len(bits), -1).astype(np.uint8)
    return np.packbits(flat, axis=-1, bitorder="little")


def map_of(bits: Array, element: str) -> TensorMap:
    """The map of a matrix, whose boxes have more rows than it has."""
    data = packed(bits, BITS[element])
    return TensorMap.of(data, (TILE, TILE), ELEMENTS[BITS[element]], "swizzle_128b")


def scales_of(numbers: Array) -> TensorMap:
    """Scale factors of (row, block of 32 along K) as tcgen05.cp puts them under each other."""
    blocks = numbers.reshape(4, 32, K // TILE, STEPS).transpose(1, 2, 0, 3)
    return TensorMap.of(blocks.reshape(32, -1).astype(np.uint8), (16, 32))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        ("f8f6f4", "e2m1", "e3m2"),
        ("f8f6f4", "e4m3", "e2m1"),
        ("f8f6f4", "e2m3", "e2m3"),
        ("mxf8f6f4", "e2m1", "e2m1"),
        ("mxf8f6f4", "e3m2", "e2m1"),
        ("mxf8f6f4", "e2m3", "e4m3"),
    ],
)
@pytest.mark.parametrize("schedule", ["eager", "lazy"])
def test_product(kind: str, a: str, b: str, schedule: str) -> None:
    rng = np.random.default_rng(BITS[a] + BITS[b])
    scaled = kind == "mxf8f6f4"
    (a_bits, a_numbers), (b_bits, b_numbers) = draw(rng, a, M, K), draw(rng, b, N, K)
    sfa, sfb = (draw(rng, "ue8m0", TILE, K // 32) for _ in range(2))
    text = KERNEL.format(
        a_type=MLIR[a],
        b_type=MLIR[b],
        # Padding is not counted.
        bytes=(BITS[a] + BITS[b]) * TILE * K // 8 + 4 * 512 * scaled,
        loads=loads(scaled),
        products=products(kind, {"a": a, "b": b}, scaled),
    )
    out: Any = np.full((TILE, TILE), np.nan, np.float32)
    maps = map_of(a_bits, a), map_of(b_bits, b), scales_of(sfa[0]), scales_of(sfb[0])
    report = simulate(
        text,
        [*maps, out.view(np.uint32)],
        Launch(dynamic_shared_memory=4 * (TILE * TILE + 512)),
        Run(schedule),
        target="sm_100a",
    )
    assert report.findings == ()
    if scaled:
        a_numbers = a_numbers * np.repeat(sfa[1][:M], 32, axis=1)
        b_numbers = b_numbers * np.repeat(sfb[1][:N], 32, axis=1)
    expected = np.zeros((TILE, TILE))
    expected[:M, :N] = a_numbers @ b_numbers.T
    assert np.array_equal(out, expected.astype(np.float32))
