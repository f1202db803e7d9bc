"""Tests of fixes and replays of kernels in PTX text."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tcgen05_dialect.check import check_source, fix_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.edits import patch
from tcgen05_dialect.tools.main import main

from ..support.foreign_kernels import foreign_kernel

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
