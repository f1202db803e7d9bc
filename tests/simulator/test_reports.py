"""Tests of what a race report says: the missing step, and whether the threads had synchronised."""

import re

import numpy as np
import pytest

from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.simulator import Run, simulate

from ..support.headed_kernels import run
from .test_pairs import launch_of, steps_of

_WARP = r"warp \d of CTA \(\d, 0, 0\)"
_SHARED = r"in shared memory of CTA \(\d, 0, 0\)"
_CELL = r"\[\d+, \d+\] in tensor memory of CTA \(0, 0, 0\)"
_WEAKER = "their synchronisation orders no accesses"
_ARRIVALS = r"\d+ arrivals? \(the count of mbarrier.init, line \d+\)"
_TOO_EARLY = f"ended before that operation was complete, after {_ARRIVALS}"
_ANNOUNCED = r" and the \d+ bytes announced at line \d+"
_COUNT = "expect the bytes of all its copies, and the arrivals of commits"
_AT_ONCE = r"the wait for parity 1 at line \d+ ended at once with the phase before phase 0"
_PARITY = r"at line \d+, wait for parity 0, which is that of phase 0"

REPORTS = {
    ("mma_ld", "wait for the commit"): (
        rf"tcgen05.ld: %all{_CELL} was written by tcgen05.mma of {_WARP}, line \d+, and no "
        rf"wait for the mbarrier @multiplied {_SHARED} is in between",
        rf"wait for the mbarrier @multiplied {_SHARED}, which the commit completes",
    ),
    ("mma_ld", "parity of the wait for the loads"): (
        rf"tcgen05.mma: @a_tile .*, line \d+; {_AT_ONCE} of the mbarrier @loaded {_SHARED}, "
        "and that operation completes in phase 0",
        _PARITY,
    ),
    ("mma_ld", "parity of the wait for the commit"): (
        rf"tcgen05.ld: %all.*, line \d+; {_AT_ONCE} of the mbarrier @multiplied {_SHARED}, "
        "and that operation completes in phase 0",
        _PARITY,
    ),
    ("mma_pipelined", "commit and wait between shapes"): (
        r"tcgen05.mma: .* and no commit and wait for its barrier object is in between",
        "execute tcgen05.commit after the operation, and wait for the phase that it ends",
    ),
    ("mma_ld", "wait for the loads"): (
        rf"tcgen05.mma: @a_tile {_SHARED} was written by ptx.cp.async.bulk.tensor.load of "
        rf"{_WARP}, line \d+, and no wait for the mbarrier @loaded {_SHARED} is in between",
        rf"wait for the mbarrier @loaded {_SHARED}, which the copy completes",
    ),
    ("mma_ld", "bytes expected, fewer than come"): (
        rf"tcgen05.mma: @b_tile {_SHARED} was written by ptx.cp.async.bulk.tensor.load of "
        rf"{_WARP}, line \d+; phase 0 of the mbarrier @loaded {_SHARED} {_TOO_EARLY}{_ANNOUNCED}",
        rf"let phase 0 of the mbarrier @loaded {_SHARED} {_COUNT}",
    ),
    ("pair_mma", "bytes expected, of one CTA only"): (
        rf"tcgen05.mma: .*; phase 0 of the mbarrier @loaded .* {_TOO_EARLY}{_ANNOUNCED}",
        f"let phase 0 of .* {_COUNT}",
    ),
    ("mixed_arrivals", "count, without the commit"): (
        rf"tcgen05.ld: .*; phase 0 of the mbarrier @ready {_SHARED} {_TOO_EARLY}{_ANNOUNCED}",
        f"let phase 0 of .* {_COUNT}",
    ),
    ("pair_ring", "wait for a free stage"): (
        rf"ptx.cp.async.bulk.tensor.load: .* wait for the mbarrier @loaded\[0\] {_SHARED}.*",
        r"wait for the mbarrier @loaded\[0\] .*",
    ),
    ("st_mma", "wait::ld before the hand-off to the warp that frees"): (
        rf"tcgen05.ld: missing tcgen05.wait::ld before tcgen05.dealloc of "
        rf"{_WARP}, line \d+; both access %all{_CELL}",
        "execute tcgen05.wait::ld after the load",
    ),
    ("st_ld", "wait::st before the load"): (
        rf"ptx.tcgen05.st: missing tcgen05.wait::st before ptx.tcgen05.ld of {_WARP}, "
        rf"line \d+; both access %t{_CELL}",
        "execute tcgen05.wait::st after the store",
    ),
    ("alloc_handoff", "barrier before dealloc"): (
        rf"ptx.tcgen05.dealloc: .* was written by ptx.tcgen05.st of {_WARP}, line \d+, and {_WARP} "
        rf"and {_WARP} have not synchronised since",
        r"put a barrier, such as bar.sync, between tcgen05.wait::st, line \d+, and this operation",
    ),
    ("alloc_handoff", "barrier between alloc and the read of the address"): (
        rf"ptx.ld: @slot {_SHARED} .* and {_WARP} and {_WARP} have never synchronised",
        "put a barrier between the two, such as bar.sync",
    ),
    ("generic_cp", "bar.warp.sync before the copy"): (
        rf"tcgen05.cp: .* and lanes of {_WARP} have not synchronised since",
        "put a barrier between the two, such as bar.warp.sync",
    ),
    ("remote_store", "wait for the other CTA"): (
        r"ptx.ld: .* have not synchronised since",
        "put a barrier between the two, such as barrier.cluster",
    ),
    ("mbarrier_arrive", "release of the arrival"): (
        rf"ptx.ld: .*, and {_WEAKER}: ptx.mbarrier.arrive, line \d+, is relaxed",
        r"let ptx.mbarrier.arrive, line \d+, release",
    ),
    ("try_wait", "acquire of the wait"): (
        rf"ptx.ld: .*, and {_WEAKER}: ptx.mbarrier.try_wait.parity, line \d+, is relaxed",
        r"let ptx.mbarrier.try_wait.parity, line \d+, acquire",
    ),
    ("tma_store", "wait_group before the tile is written again"): (
        r"ptx.st: .* and no cp.async.bulk.wait_group or wait_group.read is in between",
        "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group.read",
    ),
    ("tma_store_read", "wait_group for more than reading"): (
        r"ptx.ld: byte 0 of argument 1 %map .*; ptx.cp.async.bulk.wait_group, line \d+, only waits "
        "until the copy has read its source",
        r"at line \d+, wait without .read",
    ),
    ("tma_store", "pending groups of the wait, one too many"): (
        r"ptx.st: .* was read by ptx.cp.async.bulk.tensor.store of .*; "
        r"ptx.cp.async.bulk.wait_group, line \d+, leaves 1 group pending, and the copy is among "
        "them",
        r"at line \d+, write 0 instead of 1",
    ),
    ("tma_store_ring", "pending groups, one too many"): (
        r"ptx.st: .*, leaves 2 groups pending, and the copy is among them",
        r"at line \d+, write 1 instead of 2",
    ),
    ("tma_store_ring", "pending groups of the last wait"): (
        r"ptx.ret: CTA .* ends while .*, leaves 1 group pending, and the copy is among them",
        r"at line \d+, write 0 instead of 1",
    ),
    ("cp_async", "number of pending groups"): (
        r"ptx.ld: .*; ptx.cp.async.wait_group, line \d+, leaves 1 group pending, .*",
        r"at line \d+, write 0 instead of 1",
    ),
    ("tma_store_ring", "bar.warp.sync before the stage is written again"): (
        r"ptx.st: .*; the wait for it is not ordered before this",
        "put a barrier between the wait and this operation",
    ),
    ("epilogue", "proxy fence before the copy"): (
        r"ptx.cp.async.bulk.tensor.store: .* and no fence.proxy.async is in between",
        rf"execute fence.proxy.async in {_WARP} after the write, before the threads synchronise",
    ),
    ("two_issuers", "fence::before_thread_sync behind the first product"): (
        r"tcgen05.mma: .* and no tcgen05.fence::before_thread_sync is in between",
        rf"execute tcgen05.fence::before_thread_sync in {_WARP} before the threads synchronise",
    ),
    ("two_issuers", "fence::after_thread_sync before the second product"): (
        r"tcgen05.mma: .* and no tcgen05.fence::after_thread_sync is in between",
        rf"execute tcgen05.fence::after_thread_sync in {_WARP} after the wait",
    ),
    ("accumulator_ring", "fence::before_thread_sync before the arrival"): (
        r"tcgen05.mma: .* and the manual asks for tcgen05.fence::before_thread_sync in "
        "between",
        rf"execute tcgen05.fence::before_thread_sync in {_WARP} before the threads synchronise",
    ),
    ("fence_of_another", "fence::before_thread_sync behind the first product"): (
        r"tcgen05.mma: .* and no tcgen05.fence::before_thread_sync is in between",
        rf"execute tcgen05.fence::before_thread_sync in {_WARP} before the threads synchronise",
    ),
}
"""Mistake of a kernel in `synchronization/` -> message and help."""


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "what"), REPORTS)
def test_report(kernel: str, what: str) -> None:
    message, help = REPORTS[kernel, what]
    finding = run(steps_of(kernel)[what].text, launch_of(kernel), "lazy").findings[0]
    assert re.fullmatch(message, finding.message), finding.message
    assert re.fullmatch(help, finding.help), finding.help


def test_several_lanes_that_multiply() -> None:
    _, passing = rules()["T5-SIM-033"].file.programs
    before, condition, product = passing.rpartition("scf.if %is_first {")
    assert "tcgen05.mma" in product and condition
    report = simulate(f"{before}scf.if %is_first_warp {{{product}", [], run=Run("lazy"))
    finding = report.findings[0]
    assert finding.rule == "T5-SIM-014"
    found = rf"tcgen05.mma: 32 lanes of {_WARP} each execute it, and each writes %all{_CELL}"
    assert re.fullmatch(found, finding.message), finding.message
    assert finding.help == "let one thread execute it, such as the one that elect.sync chooses"


_COPIED_BY_WARPS = """
ptx.shared_memory @rows size 2048 alignment 16
ptx.kernel @k(%src : i64, %out : i64) attributes {reqntid = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c127 = arith.constant 127 : i32
  %rows = ptx.address_of @rows
  %thread = ptx.special_register tid.x
  %to = ptx.mad u32 %thread, %c16, %rows
  %from = ptx.mad.wide u32 %thread, %c16, %src
  ptx.cp.async ca [%to], [%from], 16
  ptx.cp.async.commit_group
  ptx.cp.async.wait_group 0
  BARRIER
  %other = arith.xori %thread, %c127 : i32
  %at = ptx.mad u32 %other, %c16, %rows
  %x = ptx.ld "shared::cta" b32 [%at] -> i32
  %where = ptx.mad.wide u32 %thread, %c16, %out
  ptx.st global b32 [%where], {%x}
  ptx.ret
}
"""


@pytest.mark.parametrize(
    ("barrier", "help"),
    [
        ("", "put a barrier, such as bar.sync, between cp.async.wait_group, line 13, and this"),
        ("ptx.bar.sync %c0", ""),
    ],
)
def test_wait_of_one_warp_for_its_copies(barrier: str, help: str) -> None:
    """The help does not name the step that is there."""
    text = _COPIED_BY_WARPS.replace("BARRIER", barrier)
    arguments = [np.zeros(512, np.uint32), np.zeros(512, np.uint32)]
    findings = simulate(text, arguments, run=Run("lazy")).findings
    assert bool(findings) is bool(help)
    for finding in findings:
        assert finding.help.startswith(help)
        assert "no cp.async.wait_group" not in finding.message
