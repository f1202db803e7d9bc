"""Tests of the rules: each is complete, with a program that breaks it and one that keeps it."""

import ast
import re
import sys
from functools import partial
from itertools import chain

import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.model.rule import rule as declare
from tcgen05_dialect.isa.practice import warnings_in_ptx
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.rule_programs import (
    SUFFIXES,
    example,
    program_file,
    rules,
)
from tcgen05_dialect.simulator import Run, simulate
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tools.explain import explanation
from tcgen05_dialect.ws.dialect import WS

from ..support.effort import sampled
from ..support.looped import looped
from ..support.repository import ROOT

PROGRAMS = ROOT / "tcgen05_dialect" / "rules"
RULES = rules()
WITH_PROGRAMS = [rule for rule in RULES.values() if program_file(rule)]
NOT_BROKEN = {rule.id for rule in RULES.values() if rule.unbreakable}
EACH = looped(RULES.values(), lambda rule: rule.id)
CODE_WORDS = {
    *("ptxas", "ashift", "scale-input-d", "approx"),
    *(
        word
        for op in [*PTX.operations, *TCGEN05.operations, *WS.operations]
        for word in op.name.split(".")
    ),
}
"""Words of PTX, with which a sentence may begin."""
NO_VERBS = {"a", "an", "the", "no", "it", "this", "if", "with", "without", "only", "each", "all"}
_ID = re.compile(r"T5-[A-Z0-9_]+-[0-9]{3}")
_NAMED_ID = re.compile(r"\[(T5-[^\]]*)\]")
_SECTION = re.compile(r"\d+(\.\d+)*(, \d+(\.\d+)*)*")


def broken(suffix: str, program: str) -> list[str]:
    """The ids of the rules that a program breaks."""
    return [finding.rule for finding in check_source(Source(f"program{suffix}", program))]


def broken_by_run(program: str) -> list[str]:
    """The ids of the rules that a kernel without parameters breaks when it runs."""
    report = simulate(program, [], run=Run("lazy", max_steps=10_000))
    return [finding.rule for finding in report.findings]


@EACH
def test_rule_is_complete(rule: Rule) -> None:
    assert _ID.fullmatch(rule.id)
    assert _SECTION.fullmatch(rule.section)
    for text in rule.subject, rule.fix:
        assert text, "to be written"
        assert text.strip() == text, "no space around it"
        assert not text.endswith("."), "not a sentence"
    assert re.match(r"[a-z]+ ", rule.fix), "begins with a verb"
    assert rule.fix.split()[0] not in NO_VERBS, "an imperative"
    assert not re.search(r"\bTables? \d", rule.fix), "says what to do in words"


@EACH
def test_rule_is_said_in_sentences(rule: Rule) -> None:
    for text in rule.statement, rule.why:
        assert text.strip() == text, "no space around it"
        assert re.search(r"\w\.$", text), "a sentence"
        first = text.split()[0]
        assert first[:1].isupper() or CODE_WORDS.issuperset(first.strip(".").split(".")), first
    assert rule.statement.rstrip(".") not in (rule.subject, rule.fix)


def test_each_id_is_written_once() -> None:
    """Literally, so that a search for the id of a message leads to its rule."""
    files = (ROOT / "tcgen05_dialect" / "isa").rglob("*.py")
    written = [name for file in files for name in _ID.findall(file.read_text())]
    assert sorted(written) == list(RULES)


def test_a_fix_repeats_no_number_of_a_table() -> None:
    """What is legal says the numbers; a fix derives them or does without."""
    number = re.compile(r"(?<![\w:^])[1-9]\d*(?!\w|-bit|\^)")
    found: list[str] = []
    for file in (ROOT / "tcgen05_dialect" / "isa").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "rule":
                texts = [ast.walk(each.value) for each in call.keywords if each.arg == "fix"]
                found += [
                    f"{ast.unparse(call.args[0])}: {part.value}"
                    for part in chain.from_iterable(texts)
                    if isinstance(part, ast.Constant)
                    and isinstance(part.value, str)
                    and number.search(part.value)
                ]
    assert found == []


def test_rules_are_made_in_isa_only() -> None:
    for package in ("tcgen05_dialect", "passes"):
        for file in (ROOT / package).rglob("*.py"):
            assert "isa" in file.parts or not re.search(r"\b[Rr]ule\(\s*[\"']", file.read_text()), (
                file
            )


def test_an_id_is_declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tcgen05_dialect.isa.model.rule.REGISTRY", dict(RULES))
    other = partial(
        declare, section="9.7", subject="other", statement="Drop it.", why="So.", fix="drop it"
    )
    with pytest.raises(ValueError, match=r"T5-WAIT-001 is declared twice: .*, and other"):
        other("T5-WAIT-001")
    other("T5-WAIT-999")
    assert "T5-WAIT-999" not in RULES


def test_a_warning_says_what_kernels_of_nvidia_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tcgen05_dialect.isa.model.rule.REGISTRY", dict(RULES))
    wait = partial(
        declare, section="9.7", subject="wait", statement="Wait.", why="So.", fix="add a wait"
    )
    with pytest.raises(ValueError, match="T5-WAIT-999 has severity warning and practice ''"):
        wait("T5-WAIT-999", severity="warning")
    with pytest.raises(ValueError, match="T5-WAIT-999 has severity error and practice 'CUTLASS"):
        wait("T5-WAIT-999", practice="CUTLASS does not wait")
    warning = wait("T5-WAIT-999", severity="warning", practice="CUTLASS does not wait")
    text = warning.violation("none", "one", "number of waits").about("A").text
    assert text == "A: number of waits must be one; found none; CUTLASS does not wait"


def test_lit_tests_name_rules_that_exist() -> None:
    files = [path for path in (ROOT / "lit-tests").rglob("*.*") if path.name != "explain.mlir"]
    named = {name for path in files for name in _NAMED_ID.findall(path.read_text())}
    assert len(named) > 50
    assert named <= RULES.keys()


def test_every_rule_has_programs() -> None:
    """
    A new rule needs tcgen05_dialect/rules/<id>.mlir (or .ptx): a short program that breaks it, a
    line `// -----`, and the same program corrected.
    """
    missing = RULES.keys() - {rule.id for rule in WITH_PROGRAMS} - NOT_BROKEN
    assert not missing, f"rules without programs: {', '.join(sorted(missing))}"


def test_every_file_belongs_to_a_rule() -> None:
    files = {path.name for suffix in SUFFIXES for path in PROGRAMS.glob(f"*{suffix}")}
    assert files == {file.name for rule in WITH_PROGRAMS if (file := program_file(rule))}


def test_rules_without_programs_are_rules() -> None:
    assert not NOT_BROKEN & {rule.id for rule in WITH_PROGRAMS}


@pytest.mark.parametrize("rule", WITH_PROGRAMS, ids=lambda rule: rule.id)
def test_programs(rule: Rule) -> None:
    programs = example(rule)
    assert programs is not None
    if rule.shown_by == "run":
        assert broken(programs.suffix, programs.failing) == []
        assert broken_by_run(programs.failing) == [rule.id]
        assert broken_by_run(programs.passing) == []
    else:
        assert rule.id in broken(programs.suffix, programs.failing)
        assert max(text.count("\n") for text in programs[1:]) <= 18
    assert broken(programs.suffix, programs.passing) == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", sampled(WITH_PROGRAMS, 40), ids=lambda rule: rule.id)
def test_ptxas_takes_what_keeps_the_rule(rule: Rule) -> None:
    programs = example(rule)
    assert programs is not None
    is_ptx = programs.suffix == ".ptx"
    text = programs.passing if is_ptx else compile_to_ptx(programs.passing)
    target = re.search(r"^\.target (\w+)", text, re.MULTILINE)
    assert target is not None
    assert assemble(text, target[1]).messages == ""


def unfilled(text: str) -> str:
    """The text with each run of white space as one space: paragraphs are one line."""
    return " ".join(text.split())


@pytest.mark.slow
@EACH
def test_explanation(rule: Rule) -> None:
    text = explanation([rule.id.lower()])
    found_by = "a run" if rule.shown_by == "run" else "check"
    assert text.startswith(f"{rule.id} ({rule.severity}, found by {found_by})\n")
    parts = [rule.statement, f"Why: {rule.why}"]
    if rule.practice:
        parts += [f"In practice: {rule.practice}."]
    parts += [f"{each.id}: {each.practice}." for each in warnings_in_ptx(rule)]
    programs = example(rule)
    if programs is not None:
        parts += [programs.failing, f"[{rule.id}]: ", programs.passing]
    parts += [f"Fix: {rule.fix}. Section: PTX ISA {rule.section}"]
    places = [unfilled(text).find(unfilled(part)) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_explanation_without_the_emulator(monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves out the message of a rule that only a run shows."""
    monkeypatch.setitem(sys.modules, "tcgen05_dialect.simulator", None)
    text = explanation(["T5-SIM-014"])
    assert "breaks the rule" in text
    assert "says:" not in text


def test_list_of_rules() -> None:
    lines = explanation([]).splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)
    assert all(
        line.endswith(rule.statement) for line, rule in zip(lines, RULES.values(), strict=True)
    )
