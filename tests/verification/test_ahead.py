"""Tests of the second process for the runs of a kernel: it finds what one process finds."""

import os
from errno import EAGAIN
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import NoReturn

import pytest

from tcgen05_dialect import processes
from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.verification.ahead import Ahead
from tcgen05_dialect.verification.execution import Skeleton
from tcgen05_dialect.verification.sizes import Chooser
from tcgen05_dialect.verification.static.loops import Scenario

EXAMPLE = Path(__file__).parents[2] / "examples" / "gemm_single_tile.mlir"


def _key(scenario: Scenario) -> tuple[tuple[int, int], ...]:
    return (*scenario.values.items(),)


def test_outcome_of_second_process() -> None:
    source = Source(str(EXAMPLE), EXAMPLE.read_text())
    skeleton = Skeleton(kernel_of(lower_source(source).module, None))
    (sizes,) = skeleton.launches()
    scenarios = Chooser(skeleton, sizes).scenarios(thorough=False)
    ahead = Ahead(skeleton, scenarios, (), _key, lambda: True)
    try:
        for _ in range(1000):
            if all(ahead.begun[:]):
                break
            sleep(0.01)
        assert ahead.begun[:] == bytes([2]) * (len(scenarios) + 1)
        assert ahead.last_is_clean
        for each in scenarios:
            found = ahead.outcome(_key(each), ())
            assert found is not None
            seen = {loop: visits.most for loop, visits in skeleton.visits.items()}
            expected = skeleton.run(each.values, each.sizes)
            assert seen == {loop: visits.most for loop, visits in skeleton.visits.items()}
            assert found.passes and expected.passes
            assert found.coverage.points == expected.coverage.points
            assert found.residue == expected.residue
    finally:
        ahead.close()


@pytest.mark.slow
@pytest.mark.parametrize("example", ["gemm_single_tile", "gemm_warp_specialized"])
def test_runs_that_begin_as_one(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{Ahead.__module__}._LEAST_SHARED", -1)
    path = EXAMPLE.parent / f"{example}.mlir"
    source = Source(str(path), path.read_text())
    skeleton = Skeleton(kernel_of(lower_source(source).module, None))
    (sizes,) = skeleton.launches()
    scenarios = Chooser(skeleton, sizes).scenarios(thorough=True)
    assert len({_key(each) for each in scenarios}) > 2

    def seen() -> list[str]:
        visits = skeleton.visits.values()
        return sorted(str(column) for each in visits for column in each.columns())

    # The process for single scenarios is busy, so that all are part of one run.
    ahead = Ahead(skeleton, scenarios, (), _key, lambda: bool(sleep(60)))
    try:
        for each in scenarios:
            for visits in skeleton.visits.values():
                visits.clear()
            found = ahead.outcome(_key(each), ())
            assert ahead.begun[:-1] == bytes([1] + [2] * (len(scenarios) - 1))
            shown = seen()
            for visits in skeleton.visits.values():
                visits.clear()
            expected = skeleton.run(each.values, each.sizes)
            assert found is not None and found.passes and expected.passes
            assert found.coverage.points == expected.coverage.points
            assert (found.residue, found.unawaited) == (expected.residue, expected.unawaited)
            assert shown == seen()
    finally:
        ahead.close()


def _end(*_: object) -> None:
    os._exit(1)


def _no_process() -> int:
    raise BlockingIOError(EAGAIN, os.strerror(EAGAIN))


def _no_stat(*_: object) -> NoReturn:
    raise FileNotFoundError


def _pipes() -> list[str]:
    """The open pipes of this process."""
    links = (Path("/proc/self/fd") / each for each in os.listdir("/proc/self/fd"))
    return sorted(os.readlink(each) for each in links if each.is_fifo())


@pytest.mark.slow
@pytest.mark.parametrize("failure", ["", "killed", "no process"])
def test_output_is_that_of_one_process(
    failure: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    forks: list[int] = []

    def fork() -> int:
        forks.append(0)
        return _no_process() if failure == "no process" else fork_()

    fork_ = os.fork
    monkeypatch.setattr(os, "fork", fork)
    # Other tests of this process may have loaded libraries that start threads.
    monkeypatch.setattr(f"{Ahead.__module__}.can_fork", lambda: True)
    if failure == "killed":
        monkeypatch.setattr(Ahead, "_work", _end)
    arguments = "check", str(EXAMPLE)
    one, expected = main([*arguments, "--jobs", "1"]), capfd.readouterr()
    before = _pipes()
    assert (main([*arguments, "--jobs", "2"]), capfd.readouterr()) == (one, expected)
    assert forks
    assert _pipes() == before
    assert "verified" in expected.out + expected.err


def test_no_process_is_copied_with_threads_of_libraries(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    forks: list[int] = []
    monkeypatch.setattr("threading.active_count", lambda: 2)
    monkeypatch.setattr(processes, "os", SimpleNamespace(fork=os.fork, stat=_no_stat))
    monkeypatch.setattr(os, "fork", lambda: forks.append(0) or _no_process())
    assert main(["check", str(EXAMPLE), "--jobs", "2"]) == 0
    assert "verified" in capfd.readouterr().out
    assert not forks
