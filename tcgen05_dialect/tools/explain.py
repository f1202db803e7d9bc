"""`tcgen05 explain`: the statement of a rule, its reason, a program that breaks it, and the fix; or
the effects of an instruction."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill, indent

from ..check import check_source
from ..isa.model.rule import Rule, close_names, describe, did_you_mean, meant, plural
from ..isa.practice import warnings_in_ptx
from ..reporting import diagnostics
from ..reporting.diagnostics import Finding, Source
from ..reporting.project import rules
from .files import CommandError, write_output

_INDENT = 2 * " "
_COLUMNS = 80
_ALL = "T5"
"""Name of all rules together."""
_PREFIX = f"{_ALL}-"
_DIGITS = 3
"""Digits of the number of a rule."""
_CLOSE = 0.7
"""Minimum similarity of an unknown family of rules to a suggestion, from 0 to 1."""
_SCHEDULE = "lazy"
"""The schedule of the emulator that finds the most errors."""


def run_explain(options: Namespace) -> None:
    """Print explanations."""
    write_output(None, explanation(options.rules).encode())


def explanation(names: Sequence[str]) -> str:
    """
    The explanations of the rules with these ids, in upper or lower case, of families of rules, and
    of instructions; without names, a list of the families.

    Raises CommandError for an unknown name.
    """
    if not names:
        listed = "".join(
            f"{_PREFIX}{family:<{max(map(len, _families()))}}  {len(found):>3} "
            f"{plural('rule', len(found))}{', such as' * (len(found) > 1)}: {found[0].statement}\n"
            for family, found in _families().items()
        )
        return f"{listed}\n`tcgen05 explain {_PREFIX}ALLOC` lists a family, `{_ALL}` all rules.\n"
    return "\n".join([_explanation(name) for name in names])


def _summary(rule: Rule) -> str:
    return f"{rule.id:<{max(map(len, rules()))}}  {rule.statement}\n"


def _families() -> Mapping[str, Sequence[Rule]]:
    """The rules by family, such as ALLOC."""
    families: dict[str, list[Rule]] = {}
    for rule in rules().values():
        family, _, _ = rule.id.removeprefix(_PREFIX).rpartition("-")
        families.setdefault(family, []).append(rule)
    return families


def _explanation(name: str) -> str:
    """The explanation of a rule by its id, of a family, or of an instruction. Raises CommandError
    for an unknown name."""
    if name.upper() == diagnostics.ID:
        head = f"{diagnostics.ID} (error, found by check)"
        return f"{head}\n{diagnostics.STATEMENT}\n\nWhy: {diagnostics.WHY}\n"
    if name.upper() == _ALL:
        return "".join(map(_summary, rules().values()))
    if family := _families().get(name.upper().removeprefix(_PREFIX)):
        return "".join(map(_summary, family))
    if effects := _effects(name):
        return effects
    if (rule := rules().get(name.upper())) is None:
        raise CommandError(f"there is no rule {name}; {_known_rules(name.upper())}")
    return _text(rule)


def _effects(name: str) -> str:
    """The effects of an instruction; empty if the name may be that of a rule. Raises CommandError
    for an unknown instruction."""
    from ..isa.effects.table import EFFECTS, described

    instruction = name.removeprefix("ptx.")
    if (effects := EFFECTS.get(instruction)) is None:
        if "." in instruction:
            hint = did_you_mean(instruction, EFFECTS)
            found = f"{instruction} is not an instruction that does more than compute registers"
            raise CommandError(f"{found}; {hint}" if hint else found)
        return ""
    facts = described(effects)
    lines = [f"{head:<{max(map(len, facts))}}  {text}" for head, text in facts.items() if text]
    return "\n".join([instruction, *lines, ""])


def _known_rules(name: str) -> str:
    """The hint for an unknown id: a rule of the same or a similar family, or the families."""
    families = {
        family: [rule.id.rpartition("-")[-1] for rule in found]
        for family, found in _families().items()
    }
    asked, _, number = name.removeprefix(_PREFIX).partition("-")
    for family in close_names(asked, families, 1, _CLOSE):
        if (wanted := number.zfill(_DIGITS)) in families[family]:
            return meant([f"{_PREFIX}{family}-{wanted}"])
        return f"{_PREFIX}{family} has the rules {describe(families[family])}"
    listed = describe([f"{_PREFIX}{family}" for family in families])
    return f"the families of rules are {listed}; `tcgen05 explain FAMILY` lists the rules of one"


def _text(rule: Rule) -> str:
    return "\n".join(f"{part.rstrip()}\n" for part in _parts(rule))


def _parts(rule: Rule) -> Iterator[str]:
    by_run = rule.shown_by == "run"
    found_by = "a run" if by_run else "check"
    yield f"{rule.id} ({rule.severity}, found by {found_by})\n{fill(rule.statement, _COLUMNS)}"
    yield fill(f"Why: {rule.why}", _COLUMNS)
    if rule.practice:
        yield fill(f"In practice: {rule.practice}.", _COLUMNS)
    if warnings := warnings_in_ptx(rule):
        lines = (f"{each.id}: {each.practice}." for each in warnings)
        yield "\n".join(
            ["In PTX text, these cases are warnings:", *(_item(line) for line in lines)]
        )
    if programs := rule.file.programs:
        failing, passing = programs
        yield "This program breaks the rule:"
        yield indent(failing, _INDENT)
        command = f"sim --schedule {_SCHEDULE}" if by_run else "check"
        if message := _message(rule, failing):
            yield f"`tcgen05 {command}` says:"
            yield indent(message, _INDENT)
        yield "This program keeps the rule:"
        yield indent(passing, _INDENT)
    if rule.unbreakable:
        yield fill(f"No program breaks the rule: {rule.unbreakable}.", _COLUMNS)
    yield f"{fill(f'Fix: {rule.fix}.', _COLUMNS)}\nSection: PTX ISA {rule.section}"


def _item(text: str) -> str:
    return fill(text, _COLUMNS, initial_indent=_INDENT, subsequent_indent=2 * _INDENT)


def _message(rule: Rule, failing: str) -> str:
    """The message for the failing program; empty if the emulator is needed and not installed."""
    source = Source(rule.file.name, failing)
    findings = check_source(source) if rule.shown_by == "check" else _run_findings(source)
    return "\n".join(str(finding) for finding in findings if finding.rule == rule.id)


def _run_findings(source: Source) -> Iterable[Finding]:
    try:
        from ..simulator import Run, simulate

        report = simulate(source, [], run=Run(_SCHEDULE, max_steps=10_000))
    except ModuleNotFoundError:
        return ()
    return report.findings
