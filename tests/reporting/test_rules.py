"""Every rule is complete, and has a program that breaks it and one that keeps it."""

import ast
import re
from itertools import chain
from pathlib import Path

import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.tensor_memory import wait
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.rule_programs import (
    SHOWN_BY_A_RUN,
    SUFFIXES,
    UNBREAKABLE,
    example,
    program_file,
    rules,
)
from tcgen05_dialect.simulator import simulate
from tcgen05_dialect.tools.explain import explanation

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tcgen05_dialect" / "rules"
RULES = rules()
WITH_PROGRAMS = [rule for rule in RULES.values() if program_file(rule)]
EACH = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
_ID = re.compile(r"T5-[A-Z0-9_]+-[0-9]{3}")
_NAMED_ID = re.compile(r"\[(T5-[^\]]*)\]")
_SECTION = re.compile(r"\d+(\.\d+)*(, \d+(\.\d+)*)*")


def broken(suffix: str, program: str) -> list[str]:
    """The ids of the rules that a program breaks."""
    return [finding.rule for finding in check_source(Source(f"program{suffix}", program))]


def broken_by_run(program: str) -> list[str]:
    """The ids of the rules that a kernel without parameters breaks when it runs."""
    report = simulate(program, [], schedule="lazy", max_steps=10_000)
    return [finding.rule for finding in report.findings]


@EACH
def test_rule_is_complete(rule: Rule) -> None:
    assert _ID.fullmatch(rule.id)
    assert _SECTION.fullmatch(rule.section)
    for text in (rule.statement, rule.fix):
        assert text.strip() == text, "no space around it"
        assert text, "to be written"
        assert not text.endswith("."), "not a sentence"
    assert not re.search(r"\bTables? \d", rule.fix), "says what to do in words"


def test_all_rules_are_found() -> None:
    """Also those that a module of isa makes and does not hold itself."""
    written = re.compile(r'Rule\(\s*"(T5-[^"]*)"')
    files = (ROOT / "tcgen05_dialect" / "isa").rglob("*.py")
    found = {name for file in files for name in written.findall(file.read_text())}
    assert len(found) > 50
    assert found <= RULES.keys()


def test_a_fix_repeats_no_number_of_a_table() -> None:
    """What is legal says the numbers; a fix derives them or does without."""
    number = re.compile(r"(?<![\w:^])[1-9]\d*(?!\w|-bit|\^)")
    found: list[str] = []
    for file in (ROOT / "tcgen05_dialect" / "isa").glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "Rule":
                texts = [ast.walk(argument) for argument in call.args[3:4]]
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
            assert "isa" in file.parts or not re.search(r"\bRule\(", file.read_text()), file


def test_an_id_stands_for_one_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    same = wait.OPERATION.rule
    monkeypatch.setattr(wait, "OTHER", [same._replace()], raising=False)
    assert rules.__wrapped__() == RULES
    monkeypatch.setattr(wait, "OTHER", {"other": same._replace(fix="other")}, raising=False)
    with pytest.raises(ValueError, match=f"{same.id} is both .*other"):
        rules.__wrapped__()


def test_lit_tests_name_rules_that_exist() -> None:
    files = [path for path in (ROOT / "lit-tests").rglob("*.*") if path.name != "explain.mlir"]
    named = {name for path in files for name in _NAMED_ID.findall(path.read_text())}
    assert len(named) > 50
    assert named <= RULES.keys()


def test_every_rule_has_programs() -> None:
    """
    A new rule needs tcgen05_dialect/rules/<id>.mlir (or .ptx): a short program that breaks it, a
    line `// -----`, and the same program mended.
    """
    missing = RULES.keys() - {rule.id for rule in WITH_PROGRAMS} - UNBREAKABLE.keys()
    assert not missing, f"rules without programs: {', '.join(sorted(missing))}"


def test_every_file_belongs_to_a_rule() -> None:
    files = {path.name for suffix in SUFFIXES for path in PROGRAMS.glob(f"*{suffix}")}
    assert files == {file.name for rule in WITH_PROGRAMS if (file := program_file(rule))}


def test_rules_without_programs_are_rules() -> None:
    assert UNBREAKABLE.keys() <= RULES.keys() - {rule.id for rule in WITH_PROGRAMS}


@pytest.mark.parametrize("rule", WITH_PROGRAMS, ids=lambda rule: rule.id)
def test_programs(rule: Rule) -> None:
    programs = example(rule)
    assert programs is not None
    if rule.id in SHOWN_BY_A_RUN:
        assert broken(programs.suffix, programs.failing) == []
        assert broken_by_run(programs.failing) == [rule.id]
        assert broken_by_run(programs.passing) == []
    else:
        assert rule.id in broken(programs.suffix, programs.failing)
        assert max(text.count("\n") for text in programs[1:]) <= 18
    assert broken(programs.suffix, programs.passing) == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", WITH_PROGRAMS, ids=lambda rule: rule.id)
def test_ptxas_takes_what_keeps_the_rule(rule: Rule) -> None:
    programs = example(rule)
    assert programs is not None
    is_ptx = programs.suffix == ".ptx"
    text = programs.passing if is_ptx else compile_to_ptx(programs.passing)
    target = re.search(r"^\.target (\w+)", text, re.MULTILINE)
    assert target is not None
    assert assemble(text, target[1]).messages == ""


@EACH
def test_explanation(rule: Rule) -> None:
    text = explanation(rule.id.lower())
    assert text.startswith(f"{rule.id}, {rule.severity}: {rule.statement}\n")
    assert f"PTX ISA {rule.section}\n" in text
    assert f"fix: {rule.fix}\n" in text
