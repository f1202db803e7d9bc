"""Tests of the commands that run a kernel as the verifier did: the emulator finds the same."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source, operation_error
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.verification.remarks import File, replay_of
from tcgen05_dialect.verification.verdict import verdict_of

from ..simulator.test_mutants import PARTIAL, REDUNDANT, SAMPLE, without
from ..simulator.test_pairs import NAMES, PAIRS, steps_of
from ..support.effort import sampled
from .test_sizes import GLOBAL_RACE


def _findings(path: Path, text: str) -> Iterator[tuple[Finding, str]]:
    """The findings of a quick verification of a file, each with its replay."""
    path.write_text(text)
    source = Source(str(path), text)
    found = verdict_of(kernel_of(lower_source(source).module, None), "quick")
    for error, setting in zip(found.findings, found.settings, strict=True):
        assert setting is not None
        replay = replay_of(found.kernel, setting, File(str(path), is_only=True))
        yield operation_error(error, source).findings[0], replay


def _assert_replays(finding: Finding, replay: str, capfd: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(replay)
    assert program == "tcgen05"
    # Other findings of the run may be errors.
    main(arguments)
    out = capfd.readouterr().out
    assert f":{finding.line}:{finding.column}: {finding.severity}[{finding.rule}]" in out


def test_pointers_and_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A store of an iteration races with the loads of the one before."""
    ((finding, replay),) = _findings(tmp_path / "k k.mlir", GLOBAL_RACE.replace("AFTER", ""))
    assert re.search(r" --arg p=zeros:u8:\d+ --arg q=zeros:u8:\d+ --arg n=\d+$", replay)
    _assert_replays(finding, replay, capfd)


def test_tensor_map_without_a_type(tmp_path: Path) -> None:
    """Nothing says of what elements its array is made."""
    typed = steps_of("tma_store_read")["commit_group"].text
    text = re.sub(r"(!ptx\.tensor_map)<[^>]*>", r"\1", typed)
    assert text != typed
    found = _findings(tmp_path / "k.mlir", text)
    assert [replay for _, replay in found] == [""]


BY_KERNEL = {kernel: (kernel, what) for kernel, what in PAIRS if kernel in sampled(NAMES, 2)}
BY_RULE = {steps_of(kernel)[what].rule: (kernel, what) for kernel, what in PAIRS}
"""A mistake in some kernels, on which the command depends, and one for each rule."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "what"), dict.fromkeys([*BY_KERNEL.values(), *BY_RULE.values()])
)
def test_pairs(kernel: str, what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for finding, replay in _findings(tmp_path / "k.mlir", steps_of(kernel)[what].text):
        if replay:
            _assert_replays(finding, replay, capfd)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "line", "nth"), SAMPLE)
def test_example(
    number: int, line: str, nth: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The tensor maps of the example have types, so a finding has a replay, unless the run shows
    another error earlier."""
    findings = [*_findings(tmp_path / "k.mlir", without(number))]
    assert bool(findings) == ((line, nth) not in {*REDUNDANT, PARTIAL})
    for at, (finding, replay) in enumerate(findings):
        if replay or not at:
            _assert_replays(finding, replay, capfd)
