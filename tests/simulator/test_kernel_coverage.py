"""Tests of the coverage of a kernel by its runs."""

import json
from pathlib import Path

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Report, simulate
from tcgen05_dialect.simulator.launch.launch import Coverage
from tcgen05_dialect.tools.main import main

KERNEL = """\
ptx.kernel @k(%out : i64, %n : i32) attributes {reqntid = array<i32: 32>} {
  %lane = ptx.special_register laneid
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c40 = arith.constant 40 : i32
  %most = arith.constant 50 : i32
  %at = ptx.mad.wide u32 %lane, %c40, %out
  %is_low = arith.cmpi ult, %lane, %n : i32
  %is_first = arith.cmpi eq, %lane, %c0 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = arith.addi %i, %c1 : i32
    ptx.st global b32 [%at], {%x}
  }
  ptx.guard %is_low {
    ptx.st global b32 [%at], {%lane}
  }
  %is_wrong = arith.cmpi ugt, %lane, %most : i32
  cf.cond_br %is_wrong, ^wrong, ^right
^wrong:
  ptx.trap
^right:
  scf.if %is_first {
    ptx.st global b32 [%at], {%n}
  }
  ptx.ret
}
"""


def run(n: int, kernel: str = KERNEL) -> Report:
    return simulate(kernel, [np.zeros(320, np.int32), n], Launch())


def shown(coverage: Coverage) -> list[tuple[int, str]]:
    return [(finding.line, finding.message) for finding in coverage.findings]


@pytest.mark.parametrize(
    ("n", "found"),
    [
        (
            0,
            [
                (11, "2 operations are not run, up to line 12"),
                (15, "this operation is not run"),
                (10, "the condition is never true"),
                (14, "the condition is never true"),
            ],
        ),
        (5, []),
        (32, [(14, "the condition is always true")]),
    ],
)
def test_one_run(n: int, found: list[tuple[int, str]]) -> None:
    coverage = run(n).coverage
    assert shown(coverage) == found
    assert all(finding.severity == "remark" and finding.excerpt for finding in coverage.findings)


def test_the_summary_counts() -> None:
    assert run(0).coverage.summary == "3 operations were not run and 2 branches went one way only"
    assert run(32).coverage.summary == "1 branch went one way only"
    assert not run(5).coverage.summary


def test_several_runs_cover_together() -> None:
    """The guard is always true in one run and never in the other."""
    assert not Coverage.of_all([run(0).coverage, run(32).coverage]).findings
    assert shown(Coverage.of_all([run(32).coverage] * 2)) == shown(run(32).coverage)


def test_an_error_ends_the_coverage() -> None:
    report = run(5, KERNEL.replace("constant 50", "constant 5"))
    assert report.errors
    assert not report.coverage.points


WAITS = """\
ptx.shared_memory @ready size 16 alignment 8
ptx.kernel @k(%out : i64, %n : i32) attributes {reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %first = ptx.address_of @ready
  %second = arith.addi %first, %c8 : i32
  ptx.mbarrier.init [%first], %c1
  ptx.mbarrier.init [%second], %c1
  ptx.mbarrier.arrive [%first]
  ptx.mbarrier.arrive [%second]
  ptx.mbarrier.wait [%first], %c0
  %waits = arith.cmpi ne, %n, %c0 : i32
  scf.if %waits {
    ptx.mbarrier.wait [%second], %c0
  }
  ptx.ret
}
"""


def test_barriers_without_a_wait() -> None:
    found, awaited = run(0, WAITS).coverage, run(1, WAITS).coverage
    message = "nothing waits for the last phase of @ready, which this operation ends"
    assert (11, message) in shown(found)
    assert message not in [each.message for each in awaited.findings]
    assert not Coverage.of_all([found, awaited]).findings


def sim(folder: Path, *options: str) -> int:
    (folder / "k.mlir").write_text(KERNEL)
    launch = 'args = ["out", "n"]\n[arrays.out]\nshape = [320]\ntype = "s32"\n'
    launches = "[launches.none]\nsizes.n = 0\n[launches.all]\nsizes.n = 32\n"
    (folder / "k.toml").write_text(f"{launch}{launches}")
    return main(["sim", str(folder / "k.mlir"), *options])


def test_the_last_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert sim(tmp_path) == 0
    assert "--coverage" not in capfd.readouterr().out
    assert sim(tmp_path, "--only", "all") == 0
    *_, last = capfd.readouterr().out.splitlines()
    assert last == "1 branch went one way only; --coverage lists them"


def test_the_list(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert sim(tmp_path, "--coverage") == 0
    *_, last = capfd.readouterr().out.splitlines()
    assert last == "all operations were run, and all branches went both ways"
    assert sim(tmp_path, "--coverage", "--only", "all", "--format", "json") == 0
    (remark,) = json.loads(capfd.readouterr().out)["coverage"]
    assert (remark["line"], remark["severity"]) == (14, "remark")
    assert sim(tmp_path, "--format", "json") == 0
    assert "coverage" not in json.loads(capfd.readouterr().out)
