"""Tests of the rules: each is complete, with a program that breaks it and one that keeps it."""

import re
import sys

import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.model.rule import Rule, parse_rule_file
from tcgen05_dialect.isa.model.rule import rule as declare
from tcgen05_dialect.isa.practice import warnings_in_ptx
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.simulator import Run, simulate
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tools.explain import explanation
from tcgen05_dialect.ws.dialect import WS

from ..support.effort import sampled
from ..support.looped import looped
from ..support.repository import ROOT

PROGRAMS = ROOT / "tcgen05_dialect" / "rules"
RULES = rules()
WITH_PROGRAMS = [rule for rule in RULES.values() if rule.file.programs]
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


def broken(rule: Rule, program: str) -> list[str]:
    """The ids of the rules that a program of a rule breaks."""
    return [finding.rule for finding in check_source(Source(rule.file.name, program))]


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


@EACH
def test_a_fix_repeats_no_number_of_a_table(rule: Rule) -> None:
    """What is legal says the numbers; a fix names facts in braces or does without."""
    assert not re.search(r"(?<![\w:^])[1-9]\d*(?!\w|-bit|\^)", rule.file.texts["fix"])


def test_rules_are_made_in_isa_only() -> None:
    for package in ("tcgen05_dialect", "passes"):
        for file in (ROOT / package).rglob("*.py"):
            assert "isa" in file.parts or not re.search(r"\b[Rr]ule\(\s*[\"']", file.read_text()), (
                file
            )


def test_an_id_is_declared_once() -> None:
    with pytest.raises(ValueError, match="T5-WAIT-001 is declared twice"):
        declare("T5-WAIT-001")


def test_a_rule_needs_its_file() -> None:
    with pytest.raises(ValueError, match=r"rules/T5-WAIT-999\.mlir, the file of the rule, is miss"):
        _ = Rule("T5-WAIT-999", {}).fix


def test_a_warning_says_what_kernels_of_nvidia_do() -> None:
    warning = RULES["T5-SIM-029"]
    assert (warning.severity, warning.practice) == ("warning", "Triton leaves it out")
    text = warning.violation("none", "one", "number of waits").about("A").text
    assert text == "A: number of waits must be one; found none; Triton leaves it out"


_FILE = "// T5-A-001\n// section: 9.7\n// why: It\n//     waits.\n\n"


def test_file_of_a_rule() -> None:
    file = parse_rule_file("T5-A-001.ptx", f"{_FILE}wrong\n// -----\nright\n")
    assert file.texts == {"section": "9.7", "why": "It waits."}
    assert file.programs == ("wrong\n", "right\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_FILE.replace("why", "because"), "T5-A-001.mlir:3: a key"),
        (_FILE.replace("why", "section"), "T5-A-001.mlir:3: a key"),
        (_FILE, "T5-A-001.mlir: the id, texts and two programs are needed"),
        (f"{_FILE}wrong", "the id, texts and two programs are needed"),
        (f"{_FILE}a\n// -----\nb".replace("A-001", "A-002"), "the id, texts and two programs"),
        ("// T5-A-001\n// unbreakable: so\n\na\n// -----\nb", "two programs are needed"),
    ],
)
def test_malformed_file_of_a_rule(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_rule_file("T5-A-001.mlir", text)


def test_lit_tests_name_rules_that_exist() -> None:
    files = [path for path in (ROOT / "lit-tests").rglob("*.*") if path.name != "explain.mlir"]
    named = {name for path in files for name in _NAMED_ID.findall(path.read_text())}
    assert len(named) > 50
    assert named <= RULES.keys()


def test_every_file_belongs_to_a_rule() -> None:
    """A new rule needs tcgen05_dialect/rules/<id>.mlir (or .ptx): its text and two programs."""
    assert {path.name for path in PROGRAMS.iterdir()} == {rule.file.name for rule in RULES.values()}


@pytest.mark.parametrize("rule", WITH_PROGRAMS, ids=lambda rule: rule.id)
def test_programs(rule: Rule) -> None:
    failing, passing = rule.file.programs
    if rule.shown_by == "run":
        assert broken(rule, failing) == []
        assert broken_by_run(failing) == [rule.id]
        assert broken_by_run(passing) == []
    else:
        assert rule.id in broken(rule, failing)
        assert max(text.count("\n") for text in (failing, passing)) <= 18
    assert broken(rule, passing) == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", sampled(WITH_PROGRAMS, 20), ids=lambda rule: rule.id)
def test_ptxas_takes_what_keeps_the_rule(rule: Rule) -> None:
    _, passing = rule.file.programs
    text = passing if rule.file.name.endswith(".ptx") else compile_to_ptx(passing)
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
    if rule.file.programs:
        failing, passing = rule.file.programs
        parts += [failing, f"[{rule.id}]: ", passing]
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
    families = [line.split()[0] for line in explanation([]).splitlines()[:-2]]
    lines = [line for each in families for line in explanation([each]).splitlines()]
    assert [line.split()[0] for line in lines] == list(RULES)
    assert all(
        line.endswith(rule.statement) for line, rule in zip(lines, RULES.values(), strict=True)
    )
