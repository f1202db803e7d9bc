"""docs/rules.md: all rules, by family."""

from collections.abc import Iterable
from itertools import groupby

from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.practice import warnings_in_ptx
from tcgen05_dialect.reporting.rules import rules

from .markdown import anchor
from .shown import ROOT

FILE = ROOT / "docs" / "rules.md"
_HEAD = """\
# Rules

All rules, by family. A message names the rule that the program breaks. Each entry has the rule, the
reason for it, and the fix. It links to the file of the rule: its text, a program that breaks it
and, after a line `// -----`, the corrected program. `tcgen05 explain T5-ALLOC-001` prints the
entry, both programs and the message for the wrong program. `make docs` writes this page.

`tcgen05 check` finds violations of most rules in the text. The others show only in a run of the
kernel: `tcgen05 sim` runs it with data, and `check` [without data](verification.md).

A violation is an error if the manual forbids it or the result may be wrong. It is a warning if
widely used kernels omit what the manual requires; the message says what these kernels do.
"""


def _family(rule: Rule) -> str:
    return rule.id.split("-")[1]


def _link(rule: Rule) -> str:
    return f"[{rule.id}](#{anchor(rule.id)})"


def _rule(rule: Rule) -> str:
    if rule.unbreakable:
        programs = f"No program breaks the rule: {rule.unbreakable}"
    else:
        programs = f"[Wrong and fixed program](../tcgen05_dialect/rules/{rule.file.name})"
    practice = f"\n- In practice: {rule.practice}." if rule.practice else ""
    warnings = ", ".join(map(_link, warnings_in_ptx(rule)))
    in_ptx = f"\n- In PTX text, it may be a warning: {warnings}." if warnings else ""
    found_by = "a run" if rule.shown_by == "run" else "`check`"
    return f"""
### {rule.id}

{rule.statement} {rule.why}

- {programs}.{practice}{in_ptx}
- Fix: {rule.fix}.
- {rule.severity.capitalize()}, found by {found_by}. PTX ISA {rule.section}.
"""


def _section(family: str, members: Iterable[Rule]) -> str:
    return f"\n## {family}\n{''.join(map(_rule, members))}"


def text() -> str:
    """The text of the file."""
    families = groupby(rules().values(), _family)
    return _HEAD + "".join(_section(family, members) for family, members in families)
