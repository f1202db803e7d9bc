"""`tcgen05 explain`: what a rule says, and programs that break it and keep it."""

from textwrap import indent

from ..isa.model.rule import Rule, did_you_mean
from ..reporting.rule_programs import example, rules
from .files import CommandError

_INDENT = 2 * " "


def explanation(name: str | None) -> str:
    """
    What there is to say of the rule with this id, in upper or lower case; for None a list of all.

    Raises CommandError for an unknown id.
    """
    return "".join(map(_summary, rules().values())) if name is None else _text(_rule(name))


def _summary(rule: Rule) -> str:
    return f"{rule.id:<{max(map(len, rules()))}}  {rule.subject}\n"


def _rule(name: str) -> Rule:
    rule = rules().get(name.upper())
    if rule is None:
        hint = did_you_mean(name.upper(), rules(), 3) or ";"
        raise CommandError(f"there is no rule {name}{hint} `tcgen05 explain` lists all")
    return rule


def _text(rule: Rule) -> str:
    text = (
        f"{rule.id}, {rule.severity}: {rule.subject}\nsection: PTX ISA {rule.section}\n"
        f"fix: {rule.fix}\n"
    )
    if rule.unbreakable:
        return f"{text}\nNo program breaks it: {rule.unbreakable}.\n"
    programs = example(rule)
    if programs is not None:
        run = ", as `tcgen05 sim --schedule lazy` shows" if rule.shown_by == "run" else ""
        text += f"\nThis breaks the rule{run}:\n\n{indent(programs.failing, _INDENT)}"
        text += f"\nThis keeps it:\n\n{indent(programs.passing, _INDENT)}"
    return text
