"""`tcgen05 explain`: the statement of a rule, its reason, a program that breaks it, and the fix."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, indent

from ..check import check_source
from ..isa.model.rule import Rule, did_you_mean
from ..reporting.diagnostics import Source
from ..reporting.findings import Finding
from ..reporting.rule_programs import Example, example, rules
from .files import CommandError

_INDENT = 2 * " "
_COLUMNS = 80
_SCHEDULE = "lazy"
"""The schedule of the emulator that finds the most errors."""


def explanation(names: Sequence[str]) -> str:
    """
    The explanations of the rules with these ids, in upper or lower case; without ids, a list of all
    rules.

    Raises CommandError for an unknown id.
    """
    if not names:
        return "".join(map(_summary, rules().values()))
    return "\n".join(map(_text, [_rule(name) for name in names]))


def _summary(rule: Rule) -> str:
    return f"{rule.id:<{max(map(len, rules()))}}  {rule.statement}\n"


def _rule(name: str) -> Rule:
    rule = rules().get(name.upper())
    if rule is None:
        hint = did_you_mean(name.upper(), rules(), 3)
        raise CommandError(f"there is no rule {name}; {hint} `tcgen05 explain` lists all")
    return rule


def _text(rule: Rule) -> str:
    return "\n".join(f"{part.rstrip()}\n" for part in _parts(rule))


def _parts(rule: Rule) -> Iterator[str]:
    by_run = rule.shown_by == "run"
    found_by = "a run" if by_run else "check"
    yield f"{rule.id} ({rule.severity}, found by {found_by})\n{fill(rule.statement, _COLUMNS)}"
    yield fill(f"Why: {rule.why}", _COLUMNS)
    if rule.practice:
        yield fill(f"In practice: {rule.practice}.", _COLUMNS)
    programs = example(rule)
    if programs is not None:
        yield "This program breaks the rule:"
        yield indent(programs.failing, _INDENT)
        command = f"sim --schedule {_SCHEDULE}" if by_run else "check"
        if message := _message(rule, programs):
            yield f"`tcgen05 {command}` says:"
            yield indent(message, _INDENT)
        yield "This program keeps the rule:"
        yield indent(programs.passing, _INDENT)
    if rule.unbreakable:
        yield fill(f"No program breaks the rule: {rule.unbreakable}.", _COLUMNS)
    yield f"{fill(f'Fix: {rule.fix}.', _COLUMNS)}\nSection: PTX ISA {rule.section}"


def _message(rule: Rule, programs: Example) -> str:
    """The message for the failing program; empty if the emulator is needed and not installed."""
    source = Source(f"{rule.id}{programs.suffix}", programs.failing)
    findings = check_source(source) if rule.shown_by == "check" else _run_findings(source)
    return "\n".join(str(finding) for finding in findings if finding.rule == rule.id)


def _run_findings(source: Source) -> Iterable[Finding]:
    try:
        from ..simulator import Run, simulate

        report = simulate(source, [], run=Run(_SCHEDULE, max_steps=10_000))
    except ModuleNotFoundError:
        return ()
    return report.findings
