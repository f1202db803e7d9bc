"""Tests of kernels in the sequential form: their roles and rings, and their results."""

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tcgen05_dialect.passes.ws_partition import WsPartition
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect import Launch, Run, TensorMap, check_source, parse_module, simulate
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.reporting.diagnostics import OperationError
from tcgen05_dialect.ws.regions import HoldOp
from tcgen05_dialect.ws.roles import RoleOp

from ..support.effort import sampled
from ..support.repository import EXAMPLES, ROOT
from ..support.ws_attention import attention, shared_bytes
from .test_attention import check as check_attention

pytestmark = pytest.mark.slow

BF16 = ml_dtypes.bfloat16
SEQUENTIAL = ROOT / "tests" / "ws" / "sequential"
SCHEDULES = ("lazy", "random", "eager")


def partitioned(text: str) -> ModuleOp:
    module = parse_module(text)
    WsPartition().apply(Context(), module)
    return module


def roles_of(module: ModuleOp) -> dict[str, RoleOp]:
    roles = [op for op in operations_of(module) if isinstance(op, RoleOp)]
    return {role.sym_name.data: role for role in roles}


@pytest.mark.parametrize(
    ("sequential", "written"),
    [
        (EXAMPLES / "ws" / "gemm_sequential.mlir", "gemm"),
        (SEQUENTIAL / "gemm_mxf8.mlir", "gemm_mxf8"),
        (SEQUENTIAL / "gemm_multicast.mlir", "gemm_multicast"),
    ],
    ids=["gemm", "gemm_mxf8", "gemm_multicast"],
)
def test_is_the_kernel_with_roles(sequential: Any, written: str) -> None:
    """So its machine code, its results and its verification are those of the other example."""
    expected = parse_module((EXAMPLES / "ws" / f"{written}.mlir").read_text())
    assert partitioned(sequential.read_text()).is_structurally_equivalent(expected)


@pytest.mark.parametrize("name", ["gemm_pair", "gemm_fp8_silu"])
def test_issues_as_the_kernel_with_roles(name: str) -> None:
    """In the epilogue, the region of the stored tile begins later."""
    modules = [
        partitioned((SEQUENTIAL / f"{name}.mlir").read_text()),
        parse_module((EXAMPLES / "ws" / f"{name}.mlir").read_text()),
    ]
    for module in modules:
        role = roles_of(module)["epilogue"]
        for op in [*role.body.block.ops]:
            op.detach()
            op.drop_all_references()
    assert modules[0].is_structurally_equivalent(modules[1])


SOFTMAX = (EXAMPLES / "ws" / "attention_sequential.mlir").read_text()
_SCORES = """
        ws.tma_load %k_map[%head, %j, 0] to %k
        ws.tma_load %v_map[%head, %j, 0] to %v
        ws.mma %s, %q, %k
        %scores = ws.tmem_load %s[0] -> vector<128xf32>
"""
_NEXT_SCORES = """
        ws.tma_load %v_map[%head, %j, 0] to %v
        %scores = ws.tmem_load %s[0] -> vector<128xf32>
        %next = arith.addi %j, %c1 : i32
        %more = arith.cmpi ult, %next, %blocks : i32
        scf.if %more {
          ws.tma_load %k_map[%head, %next, 0] to %k
          ws.mma %s, %q, %k
        }
"""
_FIRST = "      ws.tma_load %q_map[%head, %i, 0] to %q\n"
OVERLAPPED = SOFTMAX.replace(_SCORES, _NEXT_SCORES).replace(
    _FIRST,
    f"{_FIRST}      ws.tma_load %k_map[%head, 0, 0] to %k\n      ws.mma %s, %q, %k\n",
)


def regions(role: RoleOp) -> list[str]:
    """The regions of a role, and what they hold."""
    held = [op for op in operations_of(role) if isinstance(op, HoldOp)]
    return sorted(f"{op.name} {op.kind} {op.ring_op.ring.type.buffers}" for op in held)


def test_products_overlap_if_they_are_issued_early() -> None:
    """The roles that load and multiply then have the regions of the kernel with roles."""
    written = roles_of(parse_module((EXAMPLES / "ws" / "attention.mlir").read_text()))
    found = roles_of(partitioned(OVERLAPPED))
    assert regions(found["mma"]) == regions(written["mma"])
    # The first block of K is loaded before the loop.
    assert {*regions(found["load"])} == {*regions(written["load"])}


@pytest.mark.parametrize("text", [SOFTMAX, OVERLAPPED], ids=["naive", "overlapped"])
@pytest.mark.parametrize("schedule", sampled(["lazy", "random"], 1))
def test_attention(text: str, schedule: str) -> None:
    """Three blocks of 32 keys, of which the last one is incomplete."""
    check_attention(attention(text, 64, 32), (1, 10, 70, 64), Run(schedule, 1), 32)


def run(text: str, arrays: Sequence[Any], numbers: Sequence[Any], schedule: str) -> None:
    """Run a kernel whose first parameters are tensor maps of arrays."""
    maps = [TensorMap.of(each, (64, rows), swizzle="swizzle_128b") for each, rows in arrays]
    launch = Launch((1,), dynamic_shared_memory=shared_bytes(text))
    report = simulate(text, [*maps, *numbers], launch, Run(schedule, 1))
    assert report.findings == ()


def matrix(rows: int, columns: int, seed: int) -> Any:
    return np.random.default_rng(seed).integers(-2, 3, (rows, columns)).astype(BF16)


def wide(array: Any) -> Any:
    return array.astype(np.float32)


_TYPES = """
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<64x64xbf16, k_major, swizzle_128b>
!v = !ws.smem<64x64xbf16, mn_major, swizzle_128b>
!d = !tcgen05.tmem<128x64xf32>
!a_map = !ptx.tensor_map<128x64xbf16, swizzle_128b>
!b_map = !ptx.tensor_map<64x64xbf16, swizzle_128b>
"""
_CONSTANTS = """
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %last = arith.constant 127 : i32
"""


def kernel(parameters: str, buffers: str, body: str) -> str:
    allocs = "\n".join(f"  %{each} = ws.alloc : !{each[0]}" for each in buffers.split())
    return f"""{_TYPES}
ptx.kernel @k({parameters}, %c : i64, %n : i32 {{ptx.at_least = 1}}) {{{_CONSTANTS}{allocs}
  ws.warp_specialize {{
    ws.role @block warps(4) threads(%t) {{{body}
    }}
  }}
  ptx.ret
}}"""


CHAINED = kernel(
    "%q_map : !a_map, %k_map : !b_map, %v_map : !b_map",
    "a b v d d_out a_p",
    """
      ws.tma_load %q_map[0, 0] to %a
      %zeros = arith.constant dense<0.0> : vector<64xf32>
      scf.for %j = %c0 to %n step %c1 : i32 {
        ws.tma_load %k_map[%j, 0] to %b
        ws.tma_load %v_map[%j, 0] to %v
        ws.mma %d, %a, %b
        %x = ws.tmem_load %d[0] -> vector<64xf32>
        %y = arith.maxnumf %x, %zeros : vector<64xf32>
        %h = arith.truncf %y : vector<64xf32> to vector<64xbf16>
        ws.local_store %h to %a_p[%t, 0]
        %later = arith.cmpi ne, %j, %c0 : i32
        ws.mma %d_out, %a_p, %v accumulate %later
      }
      %o = ws.tmem_load %d_out[0] -> vector<64xf32>
      ws.global_store %o to %c[%t, 0] of (%c128, %c64)""",
)


@pytest.mark.parametrize("schedule", sampled(SCHEDULES, 1))
@pytest.mark.parametrize("blocks", [1, 5])
def test_threads_write_an_operand(blocks: int, schedule: str) -> None:
    """Two products; the threads compute the A of the second one. Keys end within a block."""
    keys = 64 * blocks - 30
    q, k, v = matrix(128, 64, 0), matrix(keys, 64, 1), matrix(keys, 64, 2)
    c = np.zeros((128, 64), np.float32)
    run(CHAINED, [(q, 128), (k, 64), (v, 64)], [c, blocks], schedule)
    weights = np.maximum(wide(q) @ wide(k).T, 0).astype(BF16)
    assert np.array_equal(c, wide(weights) @ wide(v))


TWO_READERS = kernel(
    "%x_map : !a_map, %y_map : !b_map",
    "a b d",
    """
      ws.tma_load %y_map[0, 0] to %b
      scf.for %i = %c0 to %n step %c1 : i32 {
        ws.tma_load %x_map[%i, 0] to %a
        ws.mma %d, %a, %b
        %x = ws.local_load %a[%t, 0] -> vector<64xbf16>
        %added = arith.extf %x : vector<64xbf16> to vector<64xf32>
        %product = ws.tmem_load %d[0] -> vector<64xf32>
        %sum = arith.addf %product, %added : vector<64xf32>
        %first = arith.muli %i, %c128 : i32
        %row = arith.addi %first, %t : i32
        %rows = arith.muli %n, %c128 : i32
        ws.global_store %sum to %c[%row, 0] of (%rows, %c64)
      }""",
)


@pytest.mark.parametrize("schedule", sampled(SCHEDULES, 1))
def test_two_roles_read_a_tile(schedule: str) -> None:
    x, y = matrix(5 * 128, 64, 0), matrix(64, 64, 1)
    c = np.zeros((5 * 128, 64), np.float32)
    run(TWO_READERS, [(x, 128), (y, 64)], [c, 5], schedule)
    assert np.array_equal(c, wide(x) @ wide(y).T + wide(x))


EXCHANGED = kernel(
    "%x_map : !a_map",
    "a a_in",
    """
      %mirrored = arith.subi %last, %t : i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        ws.tma_load %x_map[%i, 0] to %a_in
        %x = ws.local_load %a_in[%t, 0] -> vector<64xbf16>
        %twice = arith.addf %x, %x : vector<64xbf16>
        ws.local_store %twice to %BUFFER[%t, 0]
        %y = ws.local_load %BUFFER[%mirrored, 0] -> vector<64xbf16>
        %first = arith.muli %i, %c128 : i32
        %row = arith.addi %first, %t : i32
        %rows = arith.muli %n, %c128 : i32
        ws.global_store %y to %c[%row, 0] of (%rows, %c64)
      }""",
)


@pytest.mark.parametrize("schedule", sampled(SCHEDULES, 1))
@pytest.mark.parametrize("buffer", ["a", "a_in"], ids=["another_tile", "in_place"])
def test_threads_exchange_rows(buffer: str, schedule: str) -> None:
    """Each thread loads a row that another thread has stored, also to the tile that TMA loads."""
    text = EXCHANGED.replace("BUFFER", buffer)
    x = matrix(3 * 128, 64, 0)
    c = np.zeros((3 * 128, 64), BF16)
    run(text, [(x, 128)], [c.view(np.uint16), 3], schedule)
    expected = 2 * wide(x).reshape(3, 128, 64)[:, ::-1].reshape(-1, 64)
    assert np.array_equal(wide(c), expected)


AHEAD = kernel(
    "%x_map : !a_map, %y_map : !b_map",
    "a b d d_2",
    """
      ws.tma_load %x_map[0, 0] to %a
      ws.tma_load %y_map[0, 0] to %b
      scf.for %i = %c0 to %n step %c1 : i32 {
        %later = arith.cmpi ne, %i, %c0 : i32
        ws.mma %d, %a, %b accumulate %later
        ws.mma %d_2, %a, %b accumulate %later
        %next = arith.addi %i, %c1 : i32
        %more = arith.cmpi slt, %next, %n : i32
        scf.if %more {
          ws.tma_load %x_map[0, %next] to %a
          ws.tma_load %y_map[0, %next] to %b
        }
      }
      %one = ws.tmem_load %d[0] -> vector<64xf32>
      %other = ws.tmem_load %d_2[0] -> vector<64xf32>
      %sum = arith.addf %one, %other : vector<64xf32>
      ws.global_store %sum to %c[%t, 0] of (%c128, %c64)""",
)


@pytest.mark.parametrize("schedule", sampled(SCHEDULES, 1))
@pytest.mark.parametrize("blocks", [1, 6])
def test_loads_ahead_into_two_accumulators(blocks: int, schedule: str) -> None:
    x, y = matrix(128, 64 * blocks, 0), matrix(64, 64 * blocks, 1)
    c = np.zeros((128, 64), np.float32)
    run(AHEAD, [(x, 128), (y, 64)], [c, blocks], schedule)
    assert np.array_equal(c, 2 * wide(x) @ wide(y).T)


FLAT = kernel(
    "%x_map : !a_map, %y_map : !b_map",
    "a b d",
    """
      %steps = arith.muli %n, %c3 : i32
      %rows = arith.muli %n, %c128 : i32
      scf.for %step = %c0 to %steps step %c1 : i32 {
        %tile = arith.divui %step, %c3 : i32
        %block = arith.remui %step, %c3 : i32
        ws.tma_load %x_map[%tile, %block] to %a
        ws.tma_load %y_map[0, %block] to %b
        %later = arith.cmpi ne, %block, %c0 : i32
        ws.mma %d, %a, %b accumulate %later
        %is_last = arith.cmpi eq, %block, %c2 : i32
        scf.if %is_last {
          %v = ws.tmem_load %d[0] -> vector<64xf32>
          %first = arith.muli %tile, %c128 : i32
          %row = arith.addi %first, %t : i32
          ws.global_store %v to %c[%row, 0] of (%rows, %c64)
        }
      }""",
).replace("%c64 =", "%c2 = arith.constant 2 : i32\n  %c3 = arith.constant 3 : i32\n  %c64 =", 1)


@pytest.mark.parametrize("schedule", sampled(SCHEDULES, 1))
def test_epilogue_in_a_flattened_loop(schedule: str) -> None:
    x, y = matrix(256, 192, 0), matrix(64, 192, 1)
    c = np.zeros((256, 64), np.float32)
    run(FLAT, [(x, 128), (y, 64)], [c, 2], schedule)
    assert np.array_equal(c, wide(x) @ wide(y).T)


TABLE = kernel(
    "%x_map : !a_map, %y_map : !b_map, %table : i64",
    "a b d",
    """
      ws.tma_load %y_map[0, 0] to %b
      scf.for %i = %c0 to %n step %c1 : i32 {
        %entry = ws.global_load %table[0, %i] of (%c1, %n) -> vector<1xi32>
        %tile = vector.extract %entry[0] : i32 from vector<1xi32>
        ws.tma_load %x_map[%tile, 0] to %a
        ws.mma %d, %a, %b
        %product = ws.tmem_load %d[0] -> vector<64xf32>
        %first = arith.muli %i, %c128 : i32
        %row = arith.addi %first, %t : i32
        %rows = arith.muli %n, %c128 : i32
        ws.global_store %product to %c[%row, 0] of (%rows, %c64)
      }""",
)


def test_loads_tiles_that_a_table_names() -> None:
    """The role that loads reads the table, which the kernel does not write."""
    x, y = matrix(4 * 128, 64, 0), matrix(64, 64, 1)
    table = np.array([3, 1, 0, 2, 2], np.int32)
    c = np.zeros((5 * 128, 64), np.float32)
    run(TABLE, [(x, 128), (y, 64)], [table, c, 5], "random")
    assert np.array_equal(c, (wide(x) @ wide(y).T).reshape(4, 128, 64)[table].reshape(-1, 64))


@pytest.mark.parametrize("pointer", ["%table", "%behind"])
def test_a_table_that_the_kernel_writes(pointer: str) -> None:
    """Also through a pointer that is computed from the one that is read."""
    body = f"""
        %offset = arith.constant 4 : i64
        %behind = arith.addi %table, %offset : i64
        %number = vector.broadcast %i : i32 to vector<1xi32>
        ws.global_store %number to {pointer}[%t, 0] of (%c1, %c1)
        ws.mma"""
    with pytest.raises(OperationError, match="T5-WS-031"):
        partitioned(TABLE.replace("\n        ws.mma", body))


_VERIFIED = {
    "chained": CHAINED,
    "two_readers": TWO_READERS,
    "ahead": AHEAD,
    "flat": FLAT,
    "exchanged": EXCHANGED.replace("BUFFER", "a"),
    "in_place": EXCHANGED.replace("BUFFER", "a_in"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(_VERIFIED, 1))
def test_is_verified(name: str) -> None:
    (verdict,) = check_source(_VERIFIED[name], verify="quick")
    assert verdict.verdict == "verified"
