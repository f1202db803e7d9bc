"""docs/rules.md: an index of the rules, by family."""

from collections.abc import Iterable
from itertools import groupby

from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.reporting.project import rules

from .markdown import table
from .shown import ROOT

FILE = ROOT / "docs" / "rules.md"
_FOLDER = "../tcgen05_dialect/rules/"
_HEAD = """\
# Rules

All rules, by family. A message names the rule that the program breaks. A rule is a file: its
statement, the reason, the fix, a program that breaks the rule and the corrected program. `tcgen05
explain T5-ALLOC-001` prints them, with the message for the wrong program. `make docs` writes this
page.

`tcgen05 check` finds violations of most rules in the text. Those marked *run* show only in a run of
the kernel: `tcgen05 sim` runs it with data, and `check` [without data](verification.md).

A violation is an error if the manual forbids it or the result may be wrong. A violation of a rule
marked *warning* is a warning: widely used kernels omit what the manual requires. The words in
italics after the statement say which kernels, or when.
"""


def link(rule: Rule) -> str:
    """A link from a page of docs/ to the file of a rule."""
    return f"[{rule.id}]({_FOLDER}{rule.file.name})"


def _row(rule: Rule) -> tuple[str, str, str]:
    marks = ("warning" if rule.severity == "warning" else "", "run" * (rule.shown_by == "run"))
    practice = f" *In practice: {rule.practice}.*" if rule.practice else ""
    return link(rule), ", ".join(filter(None, marks)), f"{rule.statement}{practice}"


def _section(family: str, members: Iterable[Rule]) -> str:
    lines = "\n".join(table(("rule", "", "statement"), map(_row, members))).rstrip("\n")
    return f"\n## {family}\n\n{lines}\n"


def text() -> str:
    """The text of the file."""
    families = groupby(rules().values(), lambda rule: rule.id.split("-")[1])
    return _HEAD + "".join(_section(family, members) for family, members in families)
