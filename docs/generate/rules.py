"""docs/rules.md: all rules, by family."""

from collections.abc import Iterable
from itertools import groupby

from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.reporting.rule_programs import program_file, rules

from .shown import ROOT

FILE = ROOT / "docs" / "rules.md"
_HEAD = """\
# Rules

The rules that messages name, by family. Each link leads to a file with a program that breaks the
rule and, after a line `// -----`, the same program corrected. `tcgen05 explain T5-ALLOC-001` prints
both. `make docs` writes this page.
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
