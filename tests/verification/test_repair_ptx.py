"""Tests of fixes and replays of kernels in PTX text."""

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tcgen05_dialect.check import check_source, fix_source
from tcgen05_dialect.compiler import compile_to_ptx, read_kernels
from tcgen05_dialect.isa.practice import DEADLOCK, LATE_WAIT
from tcgen05_dialect.reporting.diagnostics import Edit, Source, rule_of
from tcgen05_dialect.reporting.formats import patch
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.verification.repair.repair import Repair, Result, Trial, key_of
from tcgen05_dialect.verification.static.prepared import verifiable
from tcgen05_dialect.verification.verdict import verdict_of

from ..support.effort import sampled
from ..support.foreign_kernels import foreign_kernel
from ..support.repository import EXAMPLES, RING, ROOT
from ..support.ring_styles import KERNELS

SYNCHRONIZATION = ROOT / "tests" / "simulator" / "synchronization"
HEADER = ".version 8.7\n.target sm_100a\n.address_size 64\n"
STORED = f"""{HEADER}.visible .entry k(.param .u64 out, .param .u32 n) .THREADS 64 {{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .shared .align 4 .b32 data[64];
  ld.param.b64 %rd1, [out];
  ld.param.b32 %r5, [n];
  mov.u32 %r1, %tid.x;
  mov.b32 %r2, data;
  mad.lo.u32 %r3, %r1, 4, %r2;
L:
  st.shared.b32 [%r3], %r1;
  bar.sync 0;
  ld.shared.b32 %r4, [data+8];
  bar.sync 0;
  sub.s32 %r5, %r5, 1;
  setp.gt.s32 %p1, %r5, 0;
  @%p1 bra L;
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  st.global.b32 [%rd2], %r4;
  ret;
}}
"""
"""A kernel whose threads read again and again what another one has stored."""


@pytest.mark.slow
@pytest.mark.parametrize("nth", [0, 1])
def test_a_lost_barrier_is_inserted(nth: int) -> None:
    text = STORED.replace(".THREADS", ".reqntid")
    barrier = [*re.finditer("  bar.sync 0;\n", text)][nth]
    wrong = text[: barrier.start()] + text[barrier.end() :]
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    assert [each.severity for each in result.findings] == ["remark"]
    assert sorted(result.source.text.splitlines()) == sorted(text.splitlines())


def test_a_suppressed_finding_gets_no_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Source("k.ptx", STORED.replace(".THREADS", ".reqntid").replace("bar.sync 0;", "", 1))

    def fail(*arguments: object) -> None:
        pytest.fail("a fix is sought")

    monkeypatch.setattr(Repair, "fix", fail)
    found = check_source(wrong, verify="quick", fixes=True, allow=["T5-SIM-014"])
    assert [each.suppressed for each in found if each.rule == "T5-SIM-014"]


def test_wrong_number_of_threads() -> None:
    text = STORED.replace(".THREADS", ".reqntid").replace("bar.sync 0;", "bar.sync 0, 64;")
    wrong = text.replace("0, 64;", "0, 96;", 1)
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    assert result.source.text == text


@pytest.mark.parametrize("threads", [".reqntid", ".maxntid"])
def test_replay_finds_the_same(
    threads: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(STORED.replace(".THREADS", threads).replace("  bar.sync 0;\n", "", 1))
    found = check_source(Source(str(file), file.read_text()), verify="quick")
    (finding,) = (each for each in found if each.rule)
    assert finding.fix == ""
    assert "--arg out=zeros:u8:" in finding.replay
    assert main(shlex.split(finding.replay)[1:]) == 1
    assert f"error[{finding.rule}]" in capfd.readouterr().out


COPIED = f"""{HEADER}.visible .entry k(.param .u64 out, .param .u32 n) .reqntid 96 {{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<5>; .shared .align 16 .b32 data[64];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 64;
  @%p1 ret;
  ld.param.b64 %rd1, [out];
  ld.param.b32 %r5, [n];
  mov.b32 %r2, data;
  mad.lo.u32 %r3, %r1, 4, %r2;
  setp.lt.u32 %p2, %r1, 32;
L:
  st.shared.b32 [%r3], %r5;
  fence.proxy.async.shared::cta;
  bar.sync 1, 64;
  elect.sync %r4|%p3, -1;
  and.pred %p3, %p3, %p2;
  @%p3 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 256;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
  bar.sync 1, 64;
  add.s64 %rd1, %rd1, 256;
  sub.s32 %r5, %r5, 1;
  setp.gt.s32 %p4, %r5, 0;
  @%p4 bra L;
  ret;
}}
"""
"""A kernel in which two of three warps store what a lane of one of them copies."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "nth, found", [(0, "have since met only at"), (1, "have not synchronised")]
)
def test_a_lost_barrier_of_some_warps(nth: int, found: str) -> None:
    """The barrier is tried before waits for the group, which the kernel has, and for objects."""
    barrier = [*re.finditer("  bar.sync 1, 64;\n", COPIED)][nth]
    wrong = COPIED[: barrier.start()] + COPIED[barrier.end() :]
    (finding,) = (
        each for each in check_source(Source("k.ptx", wrong), verify="quick") if each.rule
    )
    assert finding.rule == "T5-SIM-014"
    assert found in finding.message
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    assert [each.verdict for each in result.findings] == ["verified"]
    assert result.source.text.count("bar.sync 1, 64;") == 2


@pytest.mark.slow
def test_a_lost_wait_for_all_but_some_groups() -> None:
    """The weakest wait is tried first, and before the barrier ahead of a fence."""
    right = foreign_kernel("triton_matmul_f16_128x128x64")
    lines = right.split("\n")
    line = max(at for at, text in enumerate(lines, 1) if "cp.async.wait_group \t2;" in text)
    lines[line - 1] = ""
    found = check_source(Source("k.ptx", "\n".join(lines)), verify="quick", fixes=True)
    fixes = {each.fix.partition(" (")[0] for each in found if each.rule}
    assert fixes == {f"insert `cp.async.wait_group 2;` before line {line + 1}"}


@pytest.mark.slow
def test_a_lost_wait_for_groups_is_repeated_with_its_number() -> None:
    """The kernel waits for the group only after the loop, for a number in base 16."""
    wait = "  cp.async.bulk.wait_group.read 0;\n"
    wrong = COPIED.replace(wait, "").replace("  ret;\n}", f"{wait.replace('0', '0x0')}  ret;\n}}")
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    assert [each.verdict for each in result.findings] == ["verified"]


@pytest.mark.slow
def test_an_arrival_after_an_announcement_is_found() -> None:
    """Its address is that of the announcement, in a register."""
    text = compile_to_ptx((SYNCHRONIZATION / "phases_announced.mlir").read_text())
    lines = [line for line in text.splitlines(True) if "_, [loaded];" not in line]
    moves = "{\n.reg .b32 %address;\nmov.b32 %address, loaded;\n"
    wrong = "".join(lines).replace("[loaded]", "[%address]").replace("{\n", moves, 1)
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    assert [each.verdict for each in result.findings] == ["verified"]
    assert "mbarrier.arrive.shared::cta.b64 _, [%address];" in result.source.text


@pytest.mark.slow
def test_a_variable_may_be_an_address() -> None:
    """The barrier object of the lost initialisation is in no register."""
    text = compile_to_ptx((SYNCHRONIZATION / "mbarrier_arrive.mlir").read_text())
    init = "mbarrier.init.shared::cta.b64 [barrier], 32;"
    assert text.count(init) == 2
    wrong = init.join(text.split(init)[:2]) + text.split(init)[2].removeprefix("\n")
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    assert result.source.text.split() == text.split()


READ_AGAIN = f"""{HEADER}.visible .entry k(.param .u64 out) .reqntid 32 {{
  .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .pred %p<2>; .shared .align 16 .b32 data[32];
  mov.u32 %r1, %tid.x;
  ld.param.b64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.b32 %r2, data;
  mad.lo.u32 %r3, %r1, 4, %r2;
  setp.eq.u32 %p1, %r1, 0;
  st.shared.b32 [%r3], %r1;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 128;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
  fence.proxy.async;
  bar.sync 0;
  mad.wide.u32 %rd3, %r1, 4, %rd2;
  ld.global.b32 %r4, [%rd3];
  st.global.b32 [%rd3+128], %r4;
  ret;
}}
"""
"""A kernel that waits only until a copy has read its source, and loads what the copy wrote."""


def test_a_stronger_wait_for_groups_is_tried() -> None:
    result = fix_source(Source("k.ptx", READ_AGAIN), verify="quick")
    assert [each.verdict for each in result.findings] == ["verified"]
    assert "cp.async.bulk.wait_group 0;" in result.source.text


@cache
def gemm() -> str:
    """The GEMM of roles and rings as PTX."""
    return compile_to_ptx((EXAMPLES / "ws" / "gemm.mlir").read_text())


@pytest.mark.slow
@pytest.mark.parametrize(
    "file, right, wrong",
    [
        (
            RING,
            "mbarrier.init.shared::cta.b64 [%r9], 64;",
            "mbarrier.init.shared::cta.b64 [%r9], 32;",
        ),
        # The number is in the statement that begins the loop.
        (RING, "mov.b32 %r13, 0;", "mov.b32 %r13, 1;"),
        (SYNCHRONIZATION / "inval.mlir", "%done, [loaded], 0;", "%done, [loaded], 1;"),
    ],
)
def test_wrong_number(file: Path, right: str, wrong: str) -> None:
    text = compile_to_ptx(file.read_text())
    assert text.count(right) == 1
    result = fix_source(Source("k.ptx", text.replace(right, wrong)), verify="quick")
    assert result.source.text == text
    (fix,) = (each.fix for each in result.fixes)
    number, other = (each.rstrip(";").split()[-1] for each in (wrong, right))
    assert fix.startswith(f"change `{number}` to {other} in line ")


@pytest.mark.slow
def test_a_parity_in_a_register() -> None:
    """No statement has its number, so a fix cannot change it."""
    right = compile_to_ptx(KERNELS["counted"])
    result = fix_source(Source("k.ptx", right.replace("bar.sync 0;", "", 1)), verify="quick")
    assert [each.fix.split(" before")[0] for each in result.fixes] == ["insert `bar.sync 0;`"]


def _trial(text: str, rule: str) -> Trial:
    """The trial of the first finding with a rule about a PTX kernel."""
    source = Source("gemm.ptx", text)
    (each,) = verifiable(read_kernels(source).module)
    verdict = verdict_of(each.kernel, "quick").relaxed_for_ptx()
    at = next(at for at, error in enumerate(verdict.findings) if rule_of(error).id == rule)
    setting = verdict.settings[at]
    assert setting is not None
    known = frozenset(map(key_of, verdict.findings))
    wrong = key_of(verdict.findings[at])
    return Trial(source, "gemm", setting, wrong, known, "quick")


def _insertion(text: str, before: str, inserted: str) -> Edit:
    line = text[: text.index(before)].count("\n") + 1
    return Edit(line, 1, line, 1, f"\t{inserted}\n")


@pytest.mark.slow
def test_no_barrier_of_a_warp_for_one_lane() -> None:
    commit = "shared::cluster.b64 [%r12+16];"
    wrong = gemm().replace(commit, "shared::cluster.b64 [%r12+8];")
    trial = _trial(wrong, DEADLOCK.id)
    for before, result in ((" [%r20], %rd26", Result.NO_TEXT), ("bar.sync 0;", Result.SAME)):
        edit = _insertion(wrong, before, "bar.warp.sync -1;")
        assert trial.run((edit,)).result is result


def test_an_error_hides_the_warnings_of_a_run() -> None:
    wrong = gemm().replace("shared::cluster.b64 [%r12+16];", "shared::cluster.b64 [%r12+8];")
    trial = _trial(wrong, LATE_WAIT.id)
    # The kernel ends earlier, in the same deadlock, without the warning.
    wait = "mbarrier.try_wait.parity.shared::cta.b64 %p99, [%r12+8], %r129;"
    wait = f"{{ .reg .pred %p99; W: {wait} @!%p99 bra W; }}"
    assert trial.run((_insertion(wrong, " [%r20], %rd18", wait),)).result is Result.SAME


@pytest.mark.slow
def test_foreign_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait about which there is only a warning."""
    right = foreign_kernel("gluon_clc")
    text = right.replace("\ttcgen05.wait::ld.sync.aligned;\n", "")
    assert text != right
    file = tmp_path / "k.ptx"
    file.write_text(text)
    before = Source(str(file), text)
    result = fix_source(before, verify="quick")
    assert [each.rule for each in result.fixes] == ["T5-SIM-040"]
    assert [each.severity for each in result.findings] == ["remark"]
    monkeypatch.chdir(tmp_path)
    given = patch([(before, result.source)])
    subprocess.run(["patch", "-p1", "-s"], input=given.encode(), check=True)
    assert file.read_text() == result.source.text


@pytest.mark.slow
def test_the_only_initialisation_of_a_kernel() -> None:
    """Its condition, which nothing uses then, tells which thread executes it."""
    lost = "@%p2 mbarrier.init.shared::cta.b64 [%r8], 1;"
    right = foreign_kernel("gluon_clc")
    assert right.count(lost) == 1
    result = fix_source(Source("k.ptx", right.replace(lost, "")), verify="quick")
    assert [each.fix.split(" after")[0] for each in result.fixes] == [f"insert `{lost}`"]
    assert [each.severity for each in result.findings] == ["remark"]


def _reduction(threads: int) -> str:
    """A kernel that adds the numbers of its threads, without a loop."""
    halves = [threads >> step for step in range(1, threads.bit_length())]
    steps = "".join(
        f"""  setp.ge.u32 %p{half}, %r1, {half};
  @%p{half} bra L{half};
  ld.shared.b32 %r5, [%r3];
  ld.shared.b32 %r6, [%r3+{4 * half}];
  add.s32 %r7, %r5, %r6;
  st.shared.b32 [%r3], %r7;
L{half}:
  bar.sync 0;
"""
        for half in halves
    )
    return f"""{HEADER}.visible .entry k(.param .u64 in, .param .u64 out) .reqntid {threads} {{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<{threads}>;
  .shared .align 4 .b32 data[{threads}];
  ld.param.b64 %rd1, [in];
  ld.param.b64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.b32 %r2, data;
  mad.lo.u32 %r3, %r1, 4, %r2;
  mad.wide.u32 %rd3, %r1, 4, %rd1;
  ld.global.b32 %r4, [%rd3];
  st.shared.b32 [%r3], %r4;
  bar.sync 0;
{steps}  ld.shared.b32 %r8, [data];
  mad.wide.u32 %rd4, %r1, 4, %rd2;
  st.global.b32 [%rd4], %r8;
  ret;
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("nth", sampled(range(8), 2))
def test_a_lost_barrier_of_an_unrolled_reduction(nth: int) -> None:
    """The barrier must come where the threads have met, not in the branch of the access."""
    text = _reduction(128)
    barrier = [*re.finditer("  bar.sync 0;\n", text)][nth]
    wrong = text[: barrier.start()] + text[barrier.end() :]
    result = fix_source(Source("k.ptx", wrong), verify="quick")
    (fix,) = (each.fix for each in result.fixes)
    assert fix.startswith(("insert `bar.sync 0;`", "insert `bar.warp.sync -1;`"))
    assert [each.severity for each in result.findings] == ["remark"]
