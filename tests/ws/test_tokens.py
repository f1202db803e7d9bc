"""Tests of stages that a role holds by tokens, in the emulator against numpy."""

from itertools import product
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import parse, verify
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate
from tcgen05_dialect.tools.main import main

from ..support.effort import sampled
from ..support.repository import EXAMPLES
from ..support.ws_tokens import with_tokens
from .test_gemm import NARROW, check

TEXT = (EXAMPLES / "ws" / "gemm_tokens.mlir").read_text()
SCHEDULES = pytest.mark.parametrize("schedule", sampled(["lazy", "random", "eager"], 1))
DEADLOCK = "T5-WS-012"


def narrow(stages: int, issue: str = "") -> str:
    """The example with fewer columns, so many stages, and another role that issues."""
    text = TEXT.replace("256x64", f"{NARROW}x64").replace("128x256", f"128x{NARROW}")
    text = text.replace("by 256", f"by {NARROW}").replace("constant 256", f"constant {NARROW}")
    text = text.replace("ring 4", f"ring {stages}")
    if issue:
        begin, end = text.index("    ws.role @mma"), text.index("    ws.role @epilogue")
        text = f"{text[:begin]}    ws.role @mma warps(1) {{\n{issue}    }}\n{text[end:]}"
    return text


LATE = """
      %out, %d = ws.producer_acquire %acc by mma
      %first, %a0, %b0 = ws.consumer_wait %ab by mma
      %last, %a1, %b1 = scf.for %block = %c1 to %blocks step %c1
          iter_args(%held = %first, %ha = %a0, %hb = %b0) -> (!ws.token<consume>, !a, !b) : i32 {
        %next, %sa, %sb = ws.consumer_wait %ab by mma
        ws.mma %d, %ha, %hb
        ws.consumer_release %held
        scf.yield %next, %sa, %sb : !ws.token<consume>, !a, !b
      }
      ws.mma %d, %a1, %b1
      ws.consumer_release %last
      ws.producer_commit %out
"""
"""The products of a stage are issued when the role holds the next one."""
CARRIED = """
      %first, %d0 = ws.producer_acquire %acc by mma
      %last, %d2 = scf.for %block = %c0 to %blocks step %c1
          iter_args(%out = %first, %d = %d0) -> (!ws.token<produce>, !d) : i32 {
        %in, %sa, %sb = ws.consumer_wait %ab by mma
        %even = arith.andi %block, %c1 : i32
        %p = arith.cmpi eq, %even, %c0 : i32
        %o, %d1 = scf.if %p -> (!ws.token<produce>, !d) {
          ws.mma %d, %sa, %sb
          ws.consumer_release %in
          scf.yield %out, %d : !ws.token<produce>, !d
        } else {
          ws.mma %d, %sa, %sb
          ws.consumer_release %in
          scf.yield %out, %d : !ws.token<produce>, !d
        }
        scf.yield %o, %d1 : !ws.token<produce>, !d
      }
      ws.producer_commit %last
"""
"""The loop carries the accumulator, and that its first product has been issued."""
SWAPPED = """
      %out, %d = ws.producer_acquire %acc by mma
      %first, %a0, %b0 = ws.consumer_wait %ab by mma
      %last, %a9, %b9 = scf.for %block = %c1 to %blocks step %c1
          iter_args(%held = %first, %ha = %a0, %hb = %b0) -> (!ws.token<consume>, !a, !b) : i32 {
        %next, %sa, %sb = ws.consumer_wait %ab by mma
        %even = arith.andi %block, %c1 : i32
        %p = arith.cmpi eq, %even, %c0 : i32
        %k0, %x0, %y0, %k1, %x1, %y1 = scf.if %p
            -> (!ws.token<consume>, !a, !b, !ws.token<consume>, !a, !b) {
          scf.yield %held, %ha, %hb, %next, %sa, %sb
            : !ws.token<consume>, !a, !b, !ws.token<consume>, !a, !b
        } else {
          scf.yield %next, %sa, %sb, %held, %ha, %hb
            : !ws.token<consume>, !a, !b, !ws.token<consume>, !a, !b
        }
        ws.mma %d, %x0, %y0
        ws.consumer_release %k0
        scf.yield %k1, %x1, %y1 : !ws.token<consume>, !a, !b
      }
      ws.mma %d, %a9, %b9
      ws.consumer_release %last
      ws.producer_commit %out
"""
"""Of two stages the newer one is sometimes released first."""
STRAIGHT = """
      %out, %d = ws.producer_acquire %acc by mma
      scf.for %block = %c0 to %blocks step %c1 : i32 {
        %in, %sa, %sb = ws.consumer_wait %ab by mma
        ws.mma %d, %sa, %sb
        ws.consumer_release %in
      }
      ws.producer_commit %out
"""
"""Regions could take the place of these tokens; the loop is unrolled by the stages."""
KERNELS = {
    "example": ("", 2),
    "late": (LATE, 2),
    "carried": (CARRIED, 1),
    "swapped": (SWAPPED, 3),
    "straight": (STRAIGHT, 1),
}
"""By name, the role that issues, and the fewest stages with which the kernel ends."""


RELEASE = "        ws.consumer_release %held\n"
COMMIT = "      ws.producer_commit %sums\n"
ISSUE = "        ws.mma %d, %sa, %sb\n"
LOAD = "        %following = ws.tmem_load %d[%next] -> vector<32xf32>\n"
CHANGES = {
    "a release is dropped": ("      ws.consumer_release %last\n", ""),
    "a release in the loop is dropped": (RELEASE, ""),
    "the commit is dropped": (COMMIT, ""),
    "a stage is released twice": (RELEASE, 2 * RELEASE),
    "a stage is committed twice": (COMMIT, 2 * COMMIT),
    "the newer stage is released": ("release %held", "release %next"),
    "a released stage is carried": ("yield %next :", "yield %held :"),
    "the products come behind the commit": (ISSUE, f"  {COMMIT}{ISSUE}"),
    "a load comes behind the release": (LOAD, f"        ws.consumer_release %sums\n{LOAD}"),
    "the loop uses the stage before it": (ISSUE, f"        ws.mma %d, %a0, %b0\n{ISSUE}"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_token_is_linear(change: str) -> None:
    """Each change leaves a token, or a buffer, in use too long, too often or not at all."""
    text = narrow(3)
    before, after = CHANGES[change]
    assert before in text
    assert rules(text.replace(before, after, 1)) == ("T5-WS-007",)


def rules(text: str) -> tuple[str, ...]:
    source = Source("kernel.mlir", text)
    try:
        verify(parse(source)[0], source)
    except CompileError as error:
        return error.rules
    return ()


@pytest.mark.slow
@SCHEDULES
@pytest.mark.parametrize("stages", [2, 3, 4])
def test_each_depth_and_schedule(stages: int, schedule: str) -> None:
    check(narrow(stages), NARROW, (130, 20, 72 + 64 * stages), Run(schedule, stages))
    check(narrow(stages), NARROW, (1, 1, 8), Run(schedule, stages))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "stages"), sampled(product(KERNELS, range(1, 5)), 3))
def test_each_role_that_issues(name: str, stages: int) -> None:
    issue, fewest = KERNELS[name]
    text = narrow(stages, issue)
    if stages < fewest:
        assert rules(text) == (DEADLOCK,)
    else:
        check(text, NARROW, (1, 1, 72 + 64 * stages), Run("random", stages))


NEIGHBOURS = """
!t = !ws.smem<128x32xf32, k_major, swizzle_128b>
!m = !tcgen05.tmem<128x32xf32>
ptx.kernel @k(%x_map : !ptx.tensor_map<128x32xf32, swizzle_128b>,
              %y_map : !ptx.tensor_map<128x32xf32, swizzle_128b>,
              %pairs : i32 {ptx.at_least = 1}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %even = arith.muli %pairs, %c2 : i32
  %blocks = arith.addi %even, %c1 : i32
  %x = ws.ring 2 : !t
  %sums = ws.ring 2 : !m
  %y = ws.ring 2 : !t
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        ws.produce %x by tma (%s) { ws.tma_load %x_map[0, %i] to %s }
      }
    }
    ws.role @add warps(4) threads(%t) {
      %k0, %x0 = ws.consumer_wait %x by threads
      %k9, %x9 = scf.for %i = %c1 to %blocks step %c1
          iter_args(%held = %k0, %before = %x0) -> (!ws.token<consume>, !t) : i32 {
        %next, %after = ws.consumer_wait %x by threads
        %out, %m = ws.producer_acquire %sums by threads
        %a = ws.local_load %before[%t, 0] -> vector<32xf32>
        %b = ws.local_load %after[%t, 0] -> vector<32xf32>
        %sum = arith.addf %a, %b : vector<32xf32>
        ws.consumer_release %held
        ws.tmem_store %sum to %m[0]
        ws.producer_commit %out
        scf.yield %next, %after : !ws.token<consume>, !t
      }
      ws.consumer_release %k9
    }
    ws.role @store warps(4) threads(%t) {
      scf.for %i = %c0 to %even step %c2 : i32 {
        %k0, %m0 = ws.consumer_wait %sums by threads
        %k1, %m1 = ws.consumer_wait %sums by threads
        %o0, %y0 = ws.producer_acquire %y by threads
        %o1, %y1 = ws.producer_acquire %y by threads
        %v1 = ws.tmem_load %m1[0] -> vector<32xf32>
        ws.consumer_release %k1
        ws.local_store %v1 to %y1[%t, 0]
        %after = arith.addi %i, %c1 : i32
        ws.tma_store %y1 to %y_map[0, %after]
        ws.producer_commit %o1
        %v0 = ws.tmem_load %m0[0] -> vector<32xf32>
        ws.consumer_release %k0
        ws.local_store %v0 to %y0[%t, 0]
        ws.tma_store %y0 to %y_map[0, %i]
        ws.producer_commit %o0
      }
    }
  }
  ptx.ret
}
"""
"""Sums of neighbouring tiles: a loop carries a tile, and a role gives stages back out of order."""


@pytest.mark.slow
@SCHEDULES
@pytest.mark.parametrize("pairs", [1, 3])
def test_threads_hold_overlapping_stages(pairs: int, schedule: str) -> None:
    rng = np.random.default_rng(pairs)
    x = rng.integers(-4, 5, (128, 32 * (2 * pairs + 1))).astype(np.float32)
    y = np.zeros((128, 64 * pairs), np.float32)
    maps = [TensorMap.of(each, (32, 128), swizzle="swizzle_128b") for each in (x, y)]
    launch = Launch((1,), dynamic_shared_memory=4 * 128 * 128)
    report = simulate(NEIGHBOURS, [*maps, pairs], launch, Run(schedule, pairs))
    assert report.findings == ()
    assert np.array_equal(y, x[:, :-32] + x[:, 32:])


@pytest.mark.parametrize("ring", ["x", "sums", "y"])
def test_two_stages_of_a_ring_of_one(ring: str) -> None:
    assert rules(NEIGHBOURS.replace(f"%{ring} = ws.ring 2", f"%{ring} = ws.ring 1")) == (DEADLOCK,)


def test_is_verified() -> None:
    for text in (narrow(3), narrow(3, SWAPPED), NEIGHBOURS):
        assert check_source(Source("kernel.mlir", text)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sampled(["gemm_multicast", "gemm_mxf8", "gemm_pair", "attention"], 1)
)
def test_tokens_in_place_of_regions(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Clusters, copies to tensor memory, stores by TMA and rings in place, by tokens."""
    directory = tmp_path / "ws"
    copytree(EXAMPLES / "ws", directory)
    path = directory / f"{name}.mlir"
    path.write_text(with_tokens(path.read_text()))
    assert "ws.produce " not in path.read_text()
    assert main(["sim", str(path)]) == 0
    assert capfd.readouterr().out.startswith("as expected")
    assert check_source(Source(name, path.read_text())) == []
