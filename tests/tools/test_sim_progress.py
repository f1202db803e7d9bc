"""Tests of the progress line of `tcgen05 sim`."""

from io import StringIO

import pytest

from tcgen05_dialect.tools import sim
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.tools.sim import ProgressLine

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
    monkeypatch.setattr(sim.time, "monotonic", lambda: now[0])
    return now


def test_shown_after_two_seconds_and_removed(clock: list[float]) -> None:
    stream = Terminal()
    with ProgressLine(stream) as line:
        line.update(5, 3)
        clock[0] += 1.9
        line.update(10, 3)
        assert stream.getvalue() == ""
        clock[0] += 0.2
        line.update(1500, 12)
        first = "\r2 s: 1500 instructions, 12 operations pending"
        assert stream.getvalue() == first
        line.update(1501, 12)
        assert stream.getvalue() == first
        clock[0] += 1
        line.update(1600, 3)
        second = "\r3 s: 1600 instructions, 3 operations pending "
        assert stream.getvalue() == first + second
    width = len(second) - 2
    assert stream.getvalue() == f"{first}{second}\r{' ' * width}\r"


def test_nothing_shown_where_there_is_no_terminal(clock: list[float]) -> None:
    stream = StringIO()
    with ProgressLine(stream) as line:
        clock[0] += 10
        line.update(1, 1)
    assert stream.getvalue() == ""


def test_runs_show_it_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sim, "_FIRST_SECONDS", 0.0)
    assert main(["sim", str(KERNEL), *SMALL]) == 0
    assert capfd.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["sim", str(KERNEL), *SMALL]) == 0
    assert "instructions, " in terminal.getvalue()
    assert terminal.getvalue().endswith(" \r")
