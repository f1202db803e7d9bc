"""Tests of verdicts on kernels whose runs take longer than the budget."""

import re

import pytest

from tcgen05_dialect.reporting.diagnostics import rule_of
from tcgen05_dialect.verification import Budget, Progress
from tcgen05_dialect.verification.verdict import Verdict

from .test_pairs import verdict
from .test_sizes import ring


class _Clock:
    """A budget that is spent after a number of looks."""

    def __init__(self, looks: int):
        self.left = looks

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def within(looks: int, text: str, monkeypatch: pytest.MonkeyPatch) -> Verdict:
    """The verdict on a kernel if the budget is spent after some looks at the clock."""
    monkeypatch.setattr(Budget, "seconds", 5.0)
    monkeypatch.setattr(Budget, "is_spent", _Clock(looks))
    return verdict(text, "thorough")


def test_first_run_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    found = within(2, ring(2), monkeypatch)
    assert found.word == "not decided"
    text = r"not decided: stopped after 5 s, before the run with %n = \d+ had ended"
    assert re.fullmatch(text, found.sentence), found.sentence


def test_later_run_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    found = within(10, ring(2), monkeypatch)
    assert found.word == "verified in part"
    text = r"; stopped after 5 s, within a run: \d+ sizes?, such as %n = \d+, and further ones were"
    assert re.search(f"{text} not run to the end$", found.sentence), found.sentence


def test_error_that_sizes_may_explain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadlock counts only if larger sizes, for which no time is left, have it, too."""
    wrong = ring(2).replace("ptx.mbarrier.arrive [%stage_full]", "")
    assert verdict(wrong, "thorough").word == "not verified"
    found = within(10, wrong, monkeypatch)
    assert found.word == "not decided"
    assert "the errors may come from sizes that the kernel does not support" in found.sentence
    assert {rule_of(error).severity for error in found.findings} == {"warning"}
    race = ring(2).replace("ptx.mbarrier.wait [%stage_free], %parity", "")
    found = within(10, race, monkeypatch)
    assert found.word == "not verified"
    assert {rule_of(error).id for error in found.findings} == {"T5-SIM-022"}


def test_progress() -> None:
    told: list[str] = []
    with Progress.told_to(told.append):
        verdict(ring(2), "thorough")
    assert told and all(re.fullmatch(r"run \d+, \d+ instructions", each) for each in told)
