"""Tests of the progress line of commands."""

import re
from io import StringIO
from pathlib import Path

import pytest

from tcgen05_dialect.tools import files
from tcgen05_dialect.tools.files import ProgressLine
from tcgen05_dialect.tools.main import main

from ..support.repository import EXAMPLES

KERNEL = EXAMPLES / "gemm_single_tile.mlir"
SMALL = ("--size=m=1", "--size=n=1", "--size=k=8")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A time that its first element says."""
    now = [100.0]
    monkeypatch.setattr(files.time, "monotonic", lambda: now[0])
    return now


def test_shown_after_two_seconds_and_removed(clock: list[float]) -> None:
    stream = Terminal()
    with ProgressLine(stream) as line:
        line.update("5 instructions")
        clock[0] += 1.9
        line.update("10 instructions")
        assert stream.getvalue() == ""
        clock[0] += 0.2
        line.update("1500 instructions")
        first = "\r2 s: 1500 instructions"
        assert stream.getvalue() == first
        line.update("1501 instructions")
        assert stream.getvalue() == first
        clock[0] += 1
        line.update("16 instructions")
        second = "\r3 s: 16 instructions  "
        assert stream.getvalue() == first + second
    width = len(second.strip())
    assert stream.getvalue() == f"{first}{second}\r{' ' * width}\r"


def test_nothing_shown_where_there_is_no_terminal(clock: list[float]) -> None:
    stream = StringIO()
    with ProgressLine(stream) as line:
        clock[0] += 10
        line.update("1 instruction")
    assert stream.getvalue() == ""


def test_runs_show_it_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "_FIRST_SECONDS", 0.0)
    assert main(["sim", str(KERNEL), *SMALL]) == 0
    assert capfd.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["sim", str(KERNEL), *SMALL]) == 0
    assert "instructions, " in terminal.getvalue()
    assert terminal.getvalue().endswith(" \r")


def test_fixes_show_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = KERNEL.read_text()
    (file := tmp_path / "kernel.mlir").write_text(re.sub("\n *tcgen05.commit .*", "", text))
    monkeypatch.setattr(files, "_FIRST_SECONDS", 0.0)
    monkeypatch.setattr(files, "_NEXT_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    main(["check", "--diff", "--verify", "quick", str(file)])
    assert " s: looking for a fix of T5-SIM-005, line " in terminal.getvalue()
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    main(["check", "--verify", "quick", str(KERNEL)])
    assert "@gemm_single_tile: run 1, " in terminal.getvalue()
    assert "looking for" not in terminal.getvalue()
