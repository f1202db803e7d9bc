"""Writes docs/rules.md: all rules, by family. `make docs` runs it."""

from collections.abc import Iterable
from itertools import groupby

from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.reporting.rule_programs import program_file, rules

from .shown import ROOT

FILE = ROOT / "docs" / "rules.md"
_HEAD = """\
# Rules

What a program must obey, as the messages of the verifiers name it; `make docs` writes this file.
The links lead to a program that breaks the rule and, behind a line `// -----`, the same program
mended; `tcgen05 explain T5-ALLOC-001` prints both.
"""
_TABLE = """\
| rule | severity | what it is about | PTX ISA | fix |
|---|---|---|---|---|
"""


def _family(rule: Rule) -> str:
    return rule.id.split("-")[1]


def _row(rule: Rule) -> str:
    file = program_file(rule)
    name = rule.id if file is None else f"[{rule.id}](../tcgen05_dialect/rules/{file.name})"
    return f"| {name} | {rule.severity} | {rule.subject} | {rule.section} | {rule.fix} |\n"


def _table(family: str, members: Iterable[Rule]) -> str:
    return f"\n## {family}\n\n{_TABLE}{''.join(map(_row, members))}"


def text() -> str:
    """The text of the file."""
    families = groupby(rules().values(), _family)
    return _HEAD + "".join(_table(family, members) for family, members in families)
