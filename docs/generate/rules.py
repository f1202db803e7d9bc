"""docs/rules.md: all rules, by family."""

from collections.abc import Iterable
from itertools import groupby

from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.reporting.rule_programs import program_file, rules

from .shown import ROOT

FILE = ROOT / "docs" / "rules.md"
_HEAD = """\
# Rules

The rules that messages name, by family: what each rule says and why, and how to fix a program that
breaks it. The link leads to a file with such a program and, after a line `// -----`, the same
program corrected. `tcgen05 explain T5-ALLOC-001` prints the same with both programs and the message
that the wrong one gets. `make docs` writes this page.

A rule is found by `check`, which reads the program, or by a run of the program in the emulator.
"""


def _family(rule: Rule) -> str:
    return rule.id.split("-")[1]


def _rule(rule: Rule) -> str:
    file = program_file(rule)
    if file is None:
        programs = f"No program breaks the rule: {rule.unbreakable}"
    else:
        programs = f"[Wrong and fixed program](../tcgen05_dialect/rules/{file.name})"
    found_by = "a run" if rule.shown_by == "run" else "check"
    return f"""
### {rule.id}

{rule.statement} {rule.why}

- {programs}.
- Fix: {rule.fix}.
- {rule.severity.capitalize()}, found by {found_by}. PTX ISA {rule.section}.
"""


def _section(family: str, members: Iterable[Rule]) -> str:
    return f"\n## {family}\n{''.join(map(_rule, members))}"


def text() -> str:
    """The text of the file."""
    families = groupby(rules().values(), _family)
    return _HEAD + "".join(_section(family, members) for family, members in families)
